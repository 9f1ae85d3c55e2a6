//! Texts that stand beside the points.

/// A text for each point.
#[derive(Clone, Copy)]
pub struct Label<'p> {
    /// What it is called.
    pub name: &'p str,
    /// The different ones.
    pub distinct: &'p [String],
    /// For each point, which of them it has.
    pub codes: &'p [u32],
}
