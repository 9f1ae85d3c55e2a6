//! A checkpoint that a run goes on from with another number of processes.

use sha2::{Digest, Sha256};

use crate::checkpoint::{Record, Store};
use crate::error::Result;
use crate::linalg::reduce::{self, Share};

/// A place that all members see, such as a folder of a shared file system: each keeps its rows of a record there as a part of its
/// own.
///
/// A part that was put is there for good when `put` returns, and one that was not put wholly is not there at all. Names and labels
/// have letters, digits, spaces and `-` in them.
pub trait Parts: Sync {
    /// The labels of all parts of a record, in any order.
    fn labels(&self, name: &str) -> Result<Vec<String>>;

    /// A part of a record.
    fn get(&self, name: &str, label: &str) -> Result<Option<Record<'static>>>;

    /// Keeps a part of a record.
    fn put(&self, name: &str, label: &str, record: &Record<'_>) -> Result<()>;
}

/// A [`Store`] of which each member has its rows, in parts that any number of members can take theirs from.
pub struct SharedStore<'p> {
    parts: &'p dyn Parts,
    share: Share,
    rows: usize,
}

/// Which rows a part has, and of what.
#[derive(Clone, Debug, PartialEq)]
struct Label {
    /// What parts of the same record have in common.
    stamp: String,
    first: usize,
    rows: usize,
    total: usize,
}

impl Label {
    fn text(&self) -> String {
        format!("{}-{}-{}-{}", self.stamp, self.first, self.rows, self.total)
    }

    fn of(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let [stamp, first, rows, total] = parts[..] else { return None };
        let [first, rows, total] = [first, rows, total].map(|number| number.parse().ok());
        Some(Label { stamp: stamp.to_string(), first: first?, rows: rows?, total: total? })
    }
}

impl<'p> SharedStore<'p> {
    /// The store of a member that has so many rows; all members must make theirs.
    pub fn new(parts: &'p dyn Parts, rows: usize) -> Self {
        SharedStore { parts, share: Share::new(rows), rows }
    }

    /// Parts that together have all rows, in order; none where there are no such.
    fn whole(&self, name: &str) -> Result<Vec<Label>> {
        let labels = self.parts.labels(name)?;
        let mut labels: Vec<Label> = labels.iter().filter_map(|text| Label::of(text)).collect();
        labels.retain(|label| label.total == self.share.total() && label.rows > 0);
        labels.sort_by(|a, b| (&a.stamp, a.first, a.rows).cmp(&(&b.stamp, b.first, b.rows)));
        let together = labels.chunk_by(|a, b| a.stamp == b.stamp);
        let is_whole = |parts: &&[Label]| {
            let follows = |parts: &[Label]| parts[0].first + parts[0].rows == parts[1].first;
            let last = &parts[parts.len() - 1];
            let ends = parts[0].first == 0 && last.first + last.rows == last.total;
            ends && parts.windows(2).all(follows)
        };
        Ok(together.into_iter().find(is_whole).map(<[Label]>::to_vec).unwrap_or_default())
    }

    /// This member's rows of the parts that have some.
    fn cut(&self, name: &str, whole: &[Label]) -> Result<Option<Record<'static>>> {
        let (first, end) = (self.share.first(), self.share.first() + self.rows);
        // A member without rows reads one part for what does not depend on rows.
        let mine = |at: usize, label: &Label| {
            let both = first.max(label.first)..end.min(label.first + label.rows);
            (!both.is_empty() || (at == 0 && first == end)).then_some(both)
        };
        let mut cut: Option<Record<'static>> = None;
        for (at, label) in whole.iter().enumerate() {
            let Some(range) = mine(at, label) else { continue };
            let Some(mut record) = self.parts.get(name, &label.text())? else { return Ok(None) };
            let Some(lists) = record.by_row() else { return Ok(None) };
            for list in lists {
                let Some(numbers) = record.numbers.get_mut(list) else { return Ok(None) };
                if numbers.len() != label.rows {
                    return Ok(None);
                }
                let from = range.start.min(range.end) - label.first;
                let rows = numbers[from..from + range.len()].to_vec();
                match cut.as_mut().map(|cut| cut.numbers.get_mut(list)) {
                    None => *numbers = rows.into(),
                    Some(Some(begun)) => begun.to_mut().extend(rows),
                    Some(None) => return Ok(None),
                }
            }
            cut = cut.or(Some(record));
        }
        Ok(cut.map(|record| Record { text: Default::default(), ..record }))
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let sum = Sha256::digest(bytes);
    sum.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

impl Store for SharedStore<'_> {
    fn is_by_row(&self) -> bool {
        true
    }

    /// Every member must ask.
    fn get(&self, name: &str) -> Result<Option<Record<'static>>> {
        let whole = reduce::agree(self.whole(name))?;
        // A part that came between two looks would make them take different ones.
        let stamp = whole.first().map_or(0, |label| hash(label.stamp.as_bytes()) >> 12);
        let same = reduce::each(&[stamp as f64]).iter().all(|other| other[0] == stamp as f64);
        if !same || whole.is_empty() {
            return Ok(None);
        }
        self.cut(name, &whole)
    }

    /// Every member must put.
    fn put(&self, name: &str, record: &Record<'_>) -> Result<()> {
        // What was computed twice is not the same bits: parts of the one do not go with those of the other.
        let weight = |at: usize| ((self.share.first() + at) as f64).sin();
        let of_list = |list: usize| -> f64 {
            let numbers = record.numbers.get(list).into_iter().flat_map(|list| list.iter());
            numbers.enumerate().map(|(at, value)| weight(at) * value).sum()
        };
        let lists = record.by_row().unwrap_or_default().into_iter();
        let sums = reduce::sum_all(lists.map(of_list).collect()).into_iter();
        // Nor do parts of other ranges.
        let ends = reduce::each(&[self.rows as f64]).into_iter().flatten();
        let bytes: Vec<u8> = sums.chain(ends).flat_map(f64::to_le_bytes).collect();
        let stamp = format!("{:016x}", hash(&bytes));
        let (first, rows, total) = (self.share.first(), self.rows, self.share.total());
        self.parts.put(name, &Label { stamp, first, rows, total }.text(), record)
    }
}
