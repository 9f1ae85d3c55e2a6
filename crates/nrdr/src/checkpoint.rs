//! What is finished of a long run, kept outside of it: the same run goes on from there after it was ended.
//!
//! This crate knows no files. A [`Store`] keeps records by their names; the crate `nrdr-checkpoint` has one that is a file.
//! Kept are neighbours, original eigenvectors, and coordinates of the strategies that find them one after another. All else takes less time
//! than it would take to read it.

use std::borrow::Cow;

use crate::error::Result;
use crate::linalg::reduce;

/// What is kept of a finished part of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record<'r> {
    /// What is no number.
    pub text: Cow<'r, str>,
    /// Lists of numbers, to the last bit.
    pub numbers: Vec<Cow<'r, [f64]>>,
    /// Lists of whole numbers.
    pub indices: Vec<Cow<'r, [u32]>>,
}

impl<'r> Record<'r> {
    /// A record of a text alone.
    pub(crate) fn of_text(text: impl Into<Cow<'r, str>>) -> Self {
        Record { text: text.into(), ..Default::default() }
    }

    /// The lists of numbers that have one for each row, if the text tells: see [`Store::is_by_row`].
    pub fn by_row(&self) -> Option<Vec<usize>> {
        let mut words = self.text.split_whitespace();
        (words.next() == Some(BY_ROW)).then(|| words.map(|word| word.parse().ok()).collect())?
    }
}

/// Where records are kept: see [`Prepared::checkpointed`](crate::Prepared::checkpointed).
///
/// A record that was put is there for good when `put` returns, and one that was not put wholly is not there at all. What goes
/// wrong is [`Error::Checkpoint`](crate::Error::Checkpoint).
pub trait Store: Sync {
    /// Whether it takes records apart by rows: then their text tells which lists of numbers have one for each row, as in
    /// "rows 1 2".
    fn is_by_row(&self) -> bool {
        false
    }

    /// The record of a name, if there is one.
    fn get(&self, name: &str) -> Result<Option<Record<'static>>>;

    /// Keeps a record; it takes the place of one of the same name.
    fn put(&self, name: &str, record: &Record<'_>) -> Result<()>;
}

/// The first word of a text that tells which lists have a number for each row.
const BY_ROW: &str = "rows";

/// Something that a record can hold.
pub(crate) trait Keep: Sized {
    /// All of it, borrowed where it is long.
    fn record(&self) -> Record<'_>;

    /// Which lists of numbers have one for each row.
    fn by_row(&self) -> Vec<usize> {
        Vec::new()
    }

    /// What a record holds; `None` where it holds something else.
    fn of_record(record: Record<'static>) -> Option<Self>;
}

/// What is kept of a run: nothing by default.
#[derive(Clone, Copy, Default)]
pub struct Kept<'k> {
    store: Option<&'k dyn Store>,
    coordinates: bool,
}

impl<'k> Kept<'k> {
    /// What a store keeps.
    pub(crate) fn by(store: Option<&'k dyn Store>) -> Self {
        Kept { store, coordinates: true }
    }

    /// The same, but coordinates only if these are they.
    pub(crate) fn with_coordinates(self, coordinates: bool) -> Self {
        Kept { coordinates, ..self }
    }

    /// For coordinates: the same, or nothing.
    pub(crate) fn coordinates(self) -> Self {
        if self.coordinates { self } else { Kept::default() }
    }

    /// What is kept under a name, or what `make` makes, which is kept then. What does not fit the run is made again.
    pub(crate) fn or_made<T: Keep>(
        self,
        name: &str,
        fits: impl FnOnce(&T) -> bool,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let Some(store) = self.store else { return make() };
        let kept = reduce::agree(store.get(name))?.and_then(T::of_record).filter(fits);
        // Where processes share the rows, all of them have their part of it or none has.
        if let (true, Some(kept)) = (reduce::all(kept.is_some()), kept) {
            return Ok(kept);
        }
        let made = make()?;
        let mut record = made.record();
        if store.is_by_row() {
            let lists = made.by_row().into_iter().map(|list| format!(" {list}"));
            record.text = format!("{BY_ROW}{}", lists.collect::<String>()).into();
        }
        reduce::agree(store.put(name, &record))?;
        Ok(made)
    }
}
