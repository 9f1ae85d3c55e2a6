//! What the coordinates of an embedding mean: how much of known numbers each of them tells.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::quality::{check_size, nearest, unit_variance};
use crate::error::{Error, Result};
use crate::graph::Neighborhoods;
use crate::points::Points;
use crate::sample::sample;

/// Points that are looked at, at most.
const POINTS: usize = 2000;
/// Values that are predicted, at most, for each set of coordinates: of many numbers fewer points are looked at.
const VALUES: usize = 2_000_000;
/// But not fewer than these.
const FEWEST: usize = 200;
/// Of fewer points nothing can be said.
const NEEDED: usize = 20;

/// How much of some numbers each coordinate tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explained {
    /// In row i, column j: R2 of predicting number j from coordinate i alone, 0 at least.
    pub alone: Vec<Vec<f64>>,
    /// In row i, column j: by how much R2 of number j grows when coordinate i joins the earlier ones, 0 at least.
    pub beyond: Vec<Vec<f64>>,
    /// In row i, column j: Spearman's rank correlation of number j with coordinate i.
    pub correlation: Vec<Vec<f64>>,
    /// How many points were looked at.
    pub points: usize,
}

/// What each coordinate tells of one number.
struct Scores {
    alone: Vec<f64>,
    beyond: Vec<f64>,
    correlation: Vec<f64>,
}

/// How much of each of some numbers (columns of a table, true parameters, whether a point is of a class) each coordinate of
/// an embedding tells, alone and beyond the earlier ones.
///
/// R2 is that of [`recovery`](super::quality::recovery): a number is predicted by its mean over the 10 nearest points, the
/// point itself left out, in coordinates of unit variance. What earlier coordinates tell is the most that the first, or the first
/// two, and so on, tell: a further coordinate never counts for less than nothing. Numbers that are not finite are left out,
/// and of one that is the same everywhere nothing is to be told.
///
/// ```
/// use nrdr::{Points, quality::explain};
///
/// let row = |i: u32| {
///     let (x, y) = ((0.7 * f64::from(i)).sin(), (1.9 * f64::from(i)).cos());
///     [x, x * x, y]
/// };
/// let table = Points::from_rows((0..400).map(row))?;
/// let (square, y) = (table.column(1), table.column(2));
/// // The second coordinate tells a function of the first alone, but not beyond it.
/// let told = explain(&table, &[&square, &y], 0)?;
/// assert!(told.alone[1][0] > 0.9 && told.beyond[1][0] < 0.05);
/// assert!(told.alone[2][1] > 0.9 && told.beyond[2][1] > 0.8);
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn explain(embedding: &Points, numbers: &[&[f64]], seed: u64) -> Result<Explained> {
    numbers
        .iter()
        .try_for_each(|number| check_size("a list of numbers", number.len(), embedding))?;
    explain_each(embedding, numbers.len(), &|row, j| numbers[j][row], seed)
}

/// The same of `count` numbers that are made when they are asked for, by row of the embedding and number.
pub fn explain_each(
    embedding: &Points,
    count: usize,
    number: &(dyn Fn(usize, usize) -> f64 + Sync),
    seed: u64,
) -> Result<Explained> {
    let most = (VALUES / count.max(1)).clamp(FEWEST, POINTS);
    let rows = sample(embedding.rows(), most, seed);
    if rows.len() < NEEDED {
        return Err(Error::TooFewPoints { points: rows.len(), needed: NEEDED });
    }
    let chosen: Vec<u32> = rows.iter().map(|&row| row as u32).collect();
    let shown = unit_variance(embedding)?.select(&chosen);
    let dims = shown.columns();
    let coordinates: Vec<Vec<f64>> = (0..dims).map(|c| shown.column(c)).collect();
    let part = |coordinates: &[Vec<f64>]| {
        let columns: Vec<&[f64]> = coordinates.iter().map(Vec::as_slice).collect();
        nearest(&Points::from_columns(&columns)?)
    };
    let alone: Vec<Neighborhoods> = coordinates.chunks(1).map(part).collect::<Result<_>>()?;
    let together: Vec<Neighborhoods> =
        (2..=dims).map(|i| part(&coordinates[..i])).collect::<Result<_>>()?;
    let places: Vec<Vec<f64>> = coordinates.iter().map(|values| ranks(values)).collect();
    // For each number its scores by each coordinate.
    let of_number = |j: usize| {
        let values: Vec<f64> = rows.iter().map(|&row| number(row, j)).collect();
        let alone: Vec<f64> = alone.iter().map(|lists| told(lists, &values)).collect();
        let first = alone.first().copied();
        let together = first.into_iter().chain(together.iter().map(|lists| told(lists, &values)));
        let mut best = 0.0;
        let gain = |score: f64| {
            let gain = (score - best).max(0.0);
            best += gain;
            gain
        };
        let beyond = together.map(gain).collect();
        let correlation = places.iter().map(|places| rank_correlation(places, &values)).collect();
        Scores { alone, beyond, correlation }
    };
    let all: Vec<Scores> = (0..count).into_par_iter().map(of_number).collect();
    let turned = |which: fn(&Scores) -> &Vec<f64>| -> Vec<Vec<f64>> {
        (0..dims).map(|i| all.iter().map(|scores| which(scores)[i]).collect()).collect()
    };
    Ok(Explained {
        alone: turned(|scores| &scores.alone),
        beyond: turned(|scores| &scores.beyond),
        correlation: turned(|scores| &scores.correlation),
        points: rows.len(),
    })
}

/// R2 of the means of neighbours, 0 at least; points without a number or without a neighbour that has one do not count.
fn told(lists: &Neighborhoods, values: &[f64]) -> f64 {
    let (mut sum, mut squares, mut errors, mut count) = (0.0, 0.0, 0.0, 0.0);
    // Sums of squares would lose the digits of numbers far from zero.
    let first = values.iter().copied().find(|v| v.is_finite()).unwrap_or(0.0);
    for (i, value) in values.iter().enumerate() {
        let near = lists.of(i).iter().map(|&j| values[j as usize]).filter(|v| v.is_finite());
        let (total, neighbors) = near.fold((0.0, 0), |(total, n), v| (total + (v - first), n + 1));
        let own = value - first;
        if !own.is_finite() || neighbors == 0 {
            continue;
        }
        errors += (own - total / f64::from(neighbors)).powi(2);
        (sum, squares, count) = (sum + own, squares + own * own, count + 1.0);
    }
    let variance: f64 = squares - sum * sum / count;
    let r2 = 1.0 - errors / variance;
    // Not of a constant, whose variance is nothing but rounding.
    if variance > 1e-12 * squares && r2 > 0.0 { r2.min(1.0) } else { 0.0 }
}

/// The places of values in their order, from 0; equal ones share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for equal in order.chunk_by(|&i, &j| values[i] == values[j]) {
        let middle = start as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|&i| ranks[i] = middle);
        start += equal.len();
    }
    ranks
}

/// Spearman's correlation of values with others whose ranks are given, where the values are finite; 0 of a constant.
fn rank_correlation(places: &[f64], values: &[f64]) -> f64 {
    let there: Vec<usize> = (0..values.len()).filter(|&i| values[i].is_finite()).collect();
    let of = |all: &[f64]| ranks(&there.iter().map(|&i| all[i]).collect::<Vec<f64>>());
    let (a, b) = (of(places), of(values));
    let middle = (there.len() as f64 - 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - middle) * (b - middle)).sum()
    };
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    if scale > 0.0 { product(&a, &b) / scale } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::quality::{recovery, tests::grid};
    use super::*;

    #[test]
    fn scores_are_those_of_recovery() {
        let both = grid(&[|x, _| (0.3 * x).sin(), |x, y| 1e3 * (y + 0.2 * x)]);
        let targets = grid(&[|x, _| x, |_, y| 1e6 + y, |x, y| x * y]);
        let columns: Vec<Vec<f64>> = (0..3).map(|c| targets.column(c)).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let found = explain(&both, &columns, 0).unwrap();
        let first = Points::new(both.column(0), 1).unwrap();
        let second = Points::new(both.column(1), 1).unwrap();
        let expected = [&first, &second, &both].map(|points| recovery(points, &columns).unwrap());
        assert_eq!(found.beyond[0], found.alone[0]);
        for j in 0..3 {
            let [one, two, together] = expected.each_ref().map(|scores| scores[j].max(0.0));
            assert!((found.alone[0][j] - one).abs() < 1e-9, "{j}");
            assert!((found.alone[1][j] - two).abs() < 1e-9, "{j}");
            assert!((found.beyond[1][j] - (together - one).max(0.0)).abs() < 1e-9, "{j}");
        }
        assert!(found.beyond[1][1] > 0.5 && found.points == 400);
        assert_eq!(explain_each(&both, 3, &|row, j| columns[j][row], 0).unwrap(), found);
    }

    /// Ranks of 3, 1, 1, 2 are 3, 0.5, 0.5, 2.
    #[test]
    fn correlation_is_that_of_ranks() {
        assert_eq!(ranks(&[3.0, 1.0, 1.0, 2.0]), [3.0, 0.5, 0.5, 2.0]);
        let places = [0.0, 1.0, 2.0, 3.0, 4.0];
        assert_eq!(rank_correlation(&places, &[1.0, 10.0, 11.0, 1e9, 1e10]), 1.0);
        assert_eq!(rank_correlation(&places, &[5.0, 4.0, f64::NAN, 0.0, -1.0]), -1.0);
        assert_eq!(rank_correlation(&places, &[2.0; 5]), 0.0);
        // Deviations (-2, -1, 0, 1, 2) and (2, -1.5, 1, -1.5, 0): -4 / (10 * 9.5)^1/2.
        let found = rank_correlation(&places, &[9.0, 1.0, 8.0, 1.0, 7.0]);
        assert!((found + 4.0 / 95.0_f64.sqrt()).abs() < 1e-12, "{found}");
    }

    #[test]
    fn what_is_missing_does_not_count_and_constants_tell_nothing() {
        let line = grid(&[|x, y| 20.0 * x + y]);
        let mut holes = line.column(0);
        holes.iter_mut().step_by(3).for_each(|value| *value = f64::NAN);
        let all = [f64::NAN; 400];
        let found = explain(&line, &[&holes, &[0.1; 400], &all], 0).unwrap();
        assert!(found.alone[0][0] > 0.99, "{:?}", found.alone);
        assert_eq!(found.alone[0][1..], [0.0, 0.0]);
        // Shuffled numbers are told of by nothing.
        let shuffled: Vec<f64> = (0..400).map(|i| f64::from(i * 7919 % 401 * 31 % 97)).collect();
        assert!(explain(&line, &[&shuffled], 0).unwrap().alone[0][0] < 0.1);
    }

    #[test]
    fn many_points_are_sampled_and_few_refused() {
        let many =
            Points::new((0..5000).map(|i| (0.37 * f64::from(i)).sin()).collect(), 1).unwrap();
        let values = many.column(0);
        let found = explain(&many, &[&values], 3).unwrap();
        assert!(found.points == 2000 && found.alone[0][0] > 0.999);
        assert_eq!(found, explain(&many, &[&values], 3).unwrap());
        assert_eq!(explain(&many, &vec![values.as_slice(); 5000], 3).unwrap().points, 400);
        let few = explain(&many.select(&[1, 2, 3]), &[&values[..3]], 0);
        assert_eq!(few, Err(Error::TooFewPoints { points: 3, needed: 20 }));
        assert!(explain(&many, &[&values[1..]], 0).is_err());
    }
}
