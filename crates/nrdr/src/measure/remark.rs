//! What should be known of a table before it is embedded: what would mislead, and what to do about it.

use std::collections::HashMap;

use crate::error::{Plain, Vocabulary};
use crate::points::Points;

/// Scales that differ by a larger factor do.
const FACTOR: f64 = 10.0;
/// Of more columns narrow ones are common, as of pixels: the widest is compared with the middle one.
const FEW_COLUMNS: usize = 20;
/// Fewer rows may be evenly spaced by chance.
const ENOUGH_ROWS: usize = 10;
/// Copies that fill a neighbourhood.
const MANY_COPIES: usize = 10;
/// Of more columns the names are not listed.
const MOST_NAMES: usize = 5;
/// What columns are called that number the rows.
const NAMES_OF_NUMBERS: [&str; 5] = ["unnamed: 0", "id", "index", "row", "rowid"];

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
    let mut found = Vec::new();
    let mut deviations = Vec::new();
    let (mut constant, mut counting) = (Vec::new(), Vec::new());
    for c in 0..columns {
        let values = points.column(c);
        let (mean, deviation) = mean_and_deviation(&values);
        if !(deviation > 1e-12 * mean.abs()) {
            constant.push(c);
        } else if counts(&values, names.get(c).map_or("", String::as_str)) {
            counting.push(c);
        } else {
            deviations.push((c, deviation));
        }
    }
    if !counting.is_empty() {
        found.push(Remark::Counting { columns: counting });
    }
    found.extend(scales(deviations));
    if !constant.is_empty() {
        found.push(Remark::Constant { columns: constant });
    }
    if columns > rows {
        found.push(Remark::Wide { columns, rows });
    }
    found.extend(repeated(points));
    found
}

/// Whether a column numbers the rows: by evenly spaced whole numbers, or by different ones and its name.
fn counts(values: &[f64], name: &str) -> bool {
    if values.len() < ENOUGH_ROWS || values.iter().any(|v| v.fract() != 0.0) {
        return false;
    }
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest - least < (values.len() - 1) as f64 {
        // They are not all different: nothing is to be sorted, as of pixels.
        return false;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let step = sorted[1] - sorted[0];
    let steps = || sorted.windows(2).map(|pair| pair[1] - pair[0]);
    let is_named = NAMES_OF_NUMBERS.contains(&name.trim().to_lowercase().as_str());
    step > 0.0 && (steps().all(|s| s == step) || is_named && steps().all(|s| s > 0.0))
}

fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt())
}

/// Whether the columns, which are not constant, have very different standard deviations.
fn scales(mut deviations: Vec<(usize, f64)>) -> Option<Remark> {
    deviations.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let &(widest, largest) = deviations.last()?;
    let middle = if deviations.len() > FEW_COLUMNS { (deviations.len() - 1) / 2 } else { 0 };
    let (other, small) = deviations[middle];
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
        let bare = |c: usize| names.get(c).cloned().unwrap_or((c + words.first()).to_string());
        let quoted = |c: usize| match names.get(c) {
            Some(name) => format!("{name:?}"),
            None => bare(c),
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
                "column {} varies {factor:.0} times as much as column {}, and distances are those of columns with large numbers: {}",
                quoted(*widest),
                quoted(*other),
                way_out("standardize", "scale the columns first"),
            ),
            Remark::Counting { columns } => {
                let dropped: Vec<String> = columns.iter().map(|&c| bare(c)).collect();
                let drop = words
                    .parameter("drop")
                    .map(|option| format!("use {option} {}", dropped.join(",")));
                format!(
                    "column(s) {} number the rows, and are embedded like any other: {}",
                    list(columns),
                    drop.unwrap_or("leave them out".to_string()),
                )
            }
            Remark::Constant { columns } => {
                let count = columns.len();
                format!("{count} column(s) are constant and count for nothing: {}", list(columns))
            }
            Remark::Wide { columns, rows } => format!(
                "there are more columns ({columns}) than rows ({rows}), and distances of noise are alike: {}",
                way_out("pca", "embed principal components"),
            ),
            Remark::Repeated { rows, most } => format!(
                "{rows} row(s) are copies of others, up to {most} are the same: leave them out unless they count"
            ),
        }
    }
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.told(&[], &Plain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of 40 rows.
    fn table(columns: &[fn(f64) -> f64]) -> Points {
        let row = |i: i32| columns.iter().map(|f| f(f64::from(i))).collect::<Vec<f64>>();
        Points::from_rows((0..40).map(row)).unwrap()
    }

    fn plain(points: &Points) -> Vec<Remark> {
        remarks(points, &[])
    }

    #[test]
    fn a_plain_table_has_none() {
        assert_eq!(plain(&table(&[|i| (0.7 * i).sin(), |i| 3.0 * (1.9 * i).cos()])), []);
    }

    #[test]
    fn scales_that_differ_tenfold_are_told() {
        let of = |found: &[Remark]| match found {
            [Remark::Scales { widest, other, factor }] => Some((*widest, *other, *factor)),
            _ => None,
        };
        let found = plain(&table(&[|i| (0.7 * i).sin(), |i| 30.0 * (0.7 * i).sin()]));
        let (widest, other, factor) = of(&found).unwrap();
        assert!((widest, other) == (1, 0) && (factor - 30.0).abs() < 1e-9);
        assert!(found[0].misleads());
        assert_eq!(plain(&table(&[|i| (0.7 * i).sin(), |i| 9.9 * (0.7 * i).sin()])), []);
        // Of many columns a few may be narrow, but not most.
        let many = |wide: usize| {
            let value = |i: usize, c: usize| if c < wide { 50.0 } else { 1.0 } * (0.7 * i as f64 + c as f64).sin();
            Points::from_rows((0..40).map(|i| (0..30).map(|c| value(i, c)).collect::<Vec<f64>>()))
                .unwrap()
        };
        assert_eq!((of(&plain(&many(28))), of(&plain(&many(3))).is_some()), (None, true));
    }

    #[test]
    fn columns_that_number_the_rows_are_told() {
        let wave: fn(f64) -> f64 = |i| 9.0 * (0.7 * i).sin();
        let counting = |column: fn(f64) -> f64, name: &str| {
            let found = remarks(&table(&[wave, column]), &["wave".to_string(), name.to_string()]);
            found.contains(&Remark::Counting { columns: vec![1] })
        };
        assert!(counting(|i| i, "n") && counting(|i| 2.0 * (39.0 - i) + 5.0, "n"));
        assert!(!counting(|i| i * i, "n") && counting(|i| i * i, " ID "));
        assert!(!counting(|i| (i / 2.0).floor(), "id") && !counting(|i| 0.5 * i, "index"));
        // Numbers of rows are large by nature: one thing is said of them.
        assert_eq!(plain(&table(&[|i| (0.7 * i).sin(), |i| 100.0 * i])).len(), 1);
    }

    #[test]
    fn constants_and_copies_and_wide_tables_are_told() {
        let found = plain(&table(&[|i| (0.7 * i).sin(), |_| 0.1, |i| (1.9 * i).cos()]));
        assert_eq!(found, [Remark::Constant { columns: vec![1] }]);
        let found = plain(&table(&[
            |i| (0.7 * (i % 37.0)).sin(),
            |i| if i == 0.0 { -0.0 } else { 0.1 * (i % 37.0) },
        ]));
        assert_eq!(found, [Remark::Repeated { rows: 3, most: 2 }]);
        assert!(!found[0].misleads());
        let found = plain(&table(&[|i| f64::from(i > 19.0)]));
        assert_eq!(found, [Remark::Repeated { rows: 38, most: 20 }]);
        assert!(found[0].misleads());
        let wide = Points::from_rows([[0.1, 0.7, 0.3], [0.4, 0.2, 0.8]]).unwrap();
        assert_eq!(plain(&wide), [Remark::Wide { columns: 3, rows: 2 }]);
    }

    #[test]
    fn columns_are_told_by_their_names() {
        let names = ["a", "b"].map(str::to_string);
        let remark = Remark::Scales { widest: 1, other: 0, factor: 30.4 };
        assert_eq!(
            remark.told(&names, &Plain),
            "column \"b\" varies 30 times as much as column \"a\", and distances are those of columns with large \
             numbers: use standardize"
        );
        let remark = Remark::Counting { columns: (0..8).collect() };
        let two = Remark::Counting { columns: vec![0, 1] };
        assert!(two.told(&names, &Plain).ends_with("like any other: use drop a,b"));
        assert!(
            remark.to_string().starts_with("column(s) 0, 1, 2, 3, 4 and 3 more number"),
            "{remark}"
        );
    }
}
