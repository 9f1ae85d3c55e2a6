//! What should be known of a table before it is embedded: what would mislead, and what to do about it.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::columns::{Columns, Deviation};
use crate::error::{Plain, Vocabulary};
use crate::number::rounded;
use crate::points::Points;

/// Scales that differ by a larger factor do.
const FACTOR: f64 = 10.0;
/// Of more columns narrow ones are common, as of pixels: the widest is compared with the middle one.
const FEW_COLUMNS: usize = 20;
/// Numbers of columns that are standardised if they should be.
const TABLE: RangeInclusive<usize> = 4..=100;
/// Copies that fill a neighbourhood.
const MANY_COPIES: usize = 10;
/// Of more columns the names are not listed.
const MOST_NAMES: usize = 5;

/// Something that should be known of a table. Columns are counted from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Remark {
    /// Distances are those of the columns with the largest numbers.
    Scales {
        /// The column with the largest standard deviation.
        widest: usize,
        /// A column with a small one: the smallest; of many columns the middle one.
        other: usize,
        /// How many times as large it is.
        factor: f64,
    },
    /// Columns that number the rows.
    Counting {
        /// Which.
        columns: Vec<usize>,
    },
    /// Columns that have one value only.
    Constant {
        /// Which.
        columns: Vec<usize>,
    },
    /// There are more columns than rows.
    Wide {
        /// Number of columns.
        columns: usize,
        /// Number of rows.
        rows: usize,
    },
    /// Rows that are copies of earlier ones.
    Repeated {
        /// How many.
        rows: usize,
        /// The most rows that are the same.
        most: usize,
    },
}

/// Looks at a table; its columns may have names.
///
/// ```
/// use nrdr::{Points, Remark, remarks};
///
/// let rows = (0..50).map(|i| [f64::from(i), (0.7 * f64::from(i)).sin()]);
/// let found = remarks(&Points::from_rows(rows)?, &[]);
/// assert!(found.contains(&Remark::Counting { columns: vec![0] }));
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn remarks(points: &Points, names: &[String]) -> Vec<Remark> {
    let (rows, columns) = (points.rows(), points.columns());
    let Columns { constant, counting, deviations } = Columns::of(points, names);
    let mut found = Vec::new();
    if !counting.is_empty() {
        found.push(Remark::Counting { columns: counting });
    }
    let few = deviations.len() <= FEW_COLUMNS;
    found.extend(scales(&deviations, if few { 0 } else { middle(&deviations) }));
    if !constant.is_empty() {
        found.push(Remark::Constant { columns: constant });
    }
    if columns > rows {
        found.push(Remark::Wide { columns, rows });
    }
    found.extend(repeated(points));
    found
}

/// Whether the columns of a table should be standardised: the widest varies more than ten times as much as the middle
/// one, so that half of the columns, or more, count for nothing. The remark names these two.
///
/// Fewer than 4 columns are taken for places in space, and more than 100 for pixels and the like: they are left as they
/// are.
///
/// ```
/// use nrdr::{Points, Remark, should_standardize};
///
/// let row = |i: u32| [1.0, 2.0, 3.0, 500.0].map(|scale| scale * f64::from(i).sin());
/// let found = should_standardize(&Points::from_rows((0..50).map(row))?, &[]);
/// assert!(matches!(found, Some(Remark::Scales { widest: 3, other: 1, factor }) if factor > 200.0));
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn should_standardize(points: &Points, names: &[String]) -> Option<Remark> {
    let Columns { deviations, .. } = Columns::of(points, names);
    let is_table = TABLE.contains(&deviations.len());
    is_table.then(|| scales(&deviations, middle(&deviations))).flatten()
}

/// The place of the middle one.
fn middle(deviations: &[Deviation]) -> usize {
    deviations.len().saturating_sub(1) / 2
}

/// Whether the widest column, the last one, varies much more than that at a place.
fn scales(deviations: &[Deviation], place: usize) -> Option<Remark> {
    let &(widest, largest) = deviations.last()?;
    let &(other, small) = deviations.get(place)?;
    let factor = largest / small;
    (factor > FACTOR).then_some(Remark::Scales { widest, other, factor })
}

/// Rows that are there before.
fn repeated(points: &Points) -> Option<Remark> {
    // The two zeros are one number.
    let bits = |i: usize| points.row(i).iter().map(|v| (v + 0.0).to_bits()).collect::<Vec<u64>>();
    let mut rows: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
    let (mut copies, mut most) = (0, 0);
    for i in 0..points.rows() {
        let key = bits(i)
            .iter()
            .fold(0, |key: u64, b| (key.rotate_left(5) ^ b).wrapping_mul(0x517c_c1b7_2722_0a95));
        let alike = rows.entry(key).or_default();
        match alike.iter_mut().find(|(first, _)| points.row(*first) == points.row(i)) {
            Some((_, count)) => {
                *count += 1;
                copies += 1;
                most = most.max(*count);
            }
            None => alike.push((i, 1)),
        }
    }
    (copies > 0).then_some(Remark::Repeated { rows: copies, most })
}

impl Remark {
    /// Whether neighbours are likely to be others than one would want.
    pub fn misleads(&self) -> bool {
        match self {
            Remark::Scales { .. } | Remark::Counting { .. } => true,
            Remark::Repeated { most, .. } => *most > MANY_COPIES,
            Remark::Constant { .. } | Remark::Wide { .. } => false,
        }
    }

    /// In the words of a front end, with the columns' names if they have some.
    pub fn told(&self, names: &[String], words: &dyn Vocabulary) -> String {
        let number = |c: usize| (c + words.first()).to_string();
        let quoted = |c: usize| names.get(c).map_or(number(c), |name| format!("{name:?}"));
        let dropped = |columns: &[usize]| {
            // A name with a comma would be two.
            let name = |&c: &usize| names.get(c).filter(|name| !name.contains(',')).cloned();
            let all = columns.iter().map(|c| name(c).unwrap_or(number(*c)));
            all.collect::<Vec<String>>().join(",")
        };
        let list = |columns: &[usize]| {
            let some: Vec<String> = columns.iter().take(MOST_NAMES).map(|&c| quoted(c)).collect();
            match columns.len() - some.len() {
                0 => some.join(", "),
                more => format!("{} and {more} more", some.join(", ")),
            }
        };
        let way_out = |parameter: &str, or: &str| {
            words.parameter(parameter).map_or(or.to_string(), |option| format!("use {option}"))
        };
        match self {
            Remark::Scales { widest, other, factor } => format!(
                "column {} varies {} times as much as column {}, and distances are those of columns with large numbers: {}",
                quoted(*widest),
                rounded(factor.round(), 3),
                quoted(*other),
                way_out("standardize", "scale the columns first"),
            ),
            Remark::Counting { columns } => {
                let drop = words
                    .parameter("drop")
                    .map(|option| format!("use {option} {}", dropped(columns)));
                format!(
                    "column(s) {} number the rows, and are embedded like any other: {}",
                    list(columns),
                    drop.unwrap_or("leave them out".to_string()),
                )
            }
            Remark::Constant { columns } => {
                let (count, some) = (columns.len(), list(columns));
                let drop = words.parameter("drop").filter(|_| count <= MOST_NAMES);
                let drop = drop.map(|option| format!("; use {option} {}", dropped(columns)));
                let drop = drop.unwrap_or_default();
                format!("{count} column(s) are constant and count for nothing: {some}{drop}")
            }
            Remark::Wide { columns, rows } => format!(
                "there are more columns ({columns}) than rows ({rows}), and distances of noise are alike: {}",
                way_out("pca", "embed principal components"),
            ),
            Remark::Repeated { rows, most } => {
                let more = words.parameter("neighbors").filter(|_| *most > MANY_COPIES);
                let more =
                    more.map(|option| format!(", or use {option} {most}")).unwrap_or_default();
                format!(
                    "{rows} row(s) are copies of others, up to {most} are the same: leave them out unless they \
                     count{more}"
                )
            }
        }
    }
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.told(&[], &Plain))
    }
}

#[cfg(test)]
mod tests;
