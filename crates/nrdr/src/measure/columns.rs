//! What the columns of a table are like: constant, counting, or of some scale.

use crate::points::Points;

/// Fewer rows may be evenly spaced by chance.
const ENOUGH_ROWS: usize = 10;
/// What columns are called that number the rows.
const NAMES_OF_NUMBERS: [&str; 5] = ["unnamed: 0", "id", "index", "row", "rowid"];

/// A column and its standard deviation.
pub(super) type Deviation = (usize, f64);

/// The columns of a table, by their numbers from 0.
pub(super) struct Columns {
    /// Those of one value.
    pub(super) constant: Vec<usize>,
    /// Those that number the rows.
    pub(super) counting: Vec<usize>,
    /// The others, the narrowest first.
    pub(super) deviations: Vec<Deviation>,
}

impl Columns {
    /// Those of a table; they may have names.
    pub(super) fn of(points: &Points, names: &[String]) -> Self {
        let mut columns =
            Columns { constant: Vec::new(), counting: Vec::new(), deviations: Vec::new() };
        for c in 0..points.columns() {
            let values = points.column(c);
            let (mean, deviation) = mean_and_deviation(&values);
            if !(deviation > 1e-12 * mean.abs()) {
                columns.constant.push(c);
            } else if counts(&values, names.get(c).map_or("", String::as_str)) {
                columns.counting.push(c);
            } else {
                columns.deviations.push((c, deviation));
            }
        }
        columns.deviations.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        columns
    }
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
