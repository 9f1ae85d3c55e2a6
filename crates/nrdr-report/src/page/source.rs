//! What a page is about: what was embedded, and what is known of it.

use nrdr::{Points, Vocabulary};

use crate::facts::Facts;
use crate::found::Found;
use crate::label::Label;

/// What was embedded.
#[derive(Clone, Default)]
pub struct Source<'p> {
    /// What it is, for people.
    pub title: String,
    /// Columns of what was embedded, if it was a table.
    pub columns: Option<usize>,
    /// The columns as they were given, for colours and pictures.
    pub given: Option<&'p Points>,
    /// Their names.
    pub names: &'p [String],
    /// True parameters and their names.
    pub truth: Option<(&'p [String], &'p Points)>,
    /// Further numbers to colour by and their names; NaN where a point has none.
    pub numbers: Vec<(&'p str, &'p [f64])>,
    /// Classes; by the first of them the points are coloured at first.
    pub labels: Vec<Label<'p>>,
    /// What each point is called.
    pub ids: Option<Label<'p>>,
    /// Other texts of each point.
    pub texts: Vec<Label<'p>>,
    /// Given where rows are pictures.
    pub images: Option<Images>,
    /// Rows of the input.
    pub total: usize,
    /// Those that are embedded, if not all.
    pub kept: Option<&'p [u32]>,
    /// What the user should know.
    pub notes: &'p [String],
}

/// The size of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Images {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Numbers of a pixel: 1, grey, or 3, red, green and blue. That of pixel (x, y), channel c is column
    /// (y * width + x) * channels + c.
    pub channels: usize,
}

/// An embedding as a page shows it.
pub struct Shown<'p> {
    /// The coordinates, the values of all points each.
    pub coordinates: Vec<&'p [f64]>,
    /// What else is known of it.
    pub facts: Facts,
}

impl<'p> Shown<'p> {
    /// An embedding of this library, told in the words of a front end.
    pub fn new(found: &'p Found, words: &dyn Vocabulary) -> Self {
        let coordinates = found.embedding.coordinates.iter().map(|c| c.values.as_slice()).collect();
        Shown { coordinates, facts: Facts::in_full(found, words) }
    }
}
