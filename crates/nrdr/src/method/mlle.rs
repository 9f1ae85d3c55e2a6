//! Modified locally linear embedding.
//!
//! Z. Zhang and J. Wang, "MLLE: Modified locally linear embedding using multiple weights", Advances in Neural
//! Information Processing Systems 19 (2006).
//!
//! Where a point is a weighted mean of its neighbours in many ways, LLE takes one of them. Here all of those count that
//! are nearly as good: with G the differences between the k neighbours and the point, and V the eigenvectors of the s
//! smallest eigenvalues of G'G, the columns of W = (1-a) w 1' + V H, w the weights of LLE, a = |V'1| / sqrt(s), and H the
//! reflection that takes V'1 to a 1. Minimises the sum over points of |f_n 1 - W_n' f|^2.
//!
//! How many weights a point has is up to the spectrum of its neighbourhood: as many as let the share of what they leave out
//! stay below that of a typical neighbourhood beyond the local dimension.

use faer::Mat;
use rayon::prelude::*;

use super::alignment::{Local, alignment_aside, alignment_memory};
use super::lle::{Weigher, with_themselves};
use super::tangent::{
    aligned, check_local_dimension, local_dimension, local_dimension_parameter,
};
use super::{About, Data, Method, Needs};
use crate::error::Result;
use crate::graph::Neighborhoods;
use crate::linalg::small::eigen_descending;
use crate::linalg::vector::dot;
use crate::parameter::{Parameter, Range};
use crate::points::Points;
use crate::problem::Problem;
use crate::progress::Progress;

const ABOUT: About = About {
    name: "mlle",
    title: "Modified LLE",
    paper: "Zhang & Wang 2006",
    class: "ModifiedLLE",
    needs: Needs::Neighborhoods,
};

/// Eigenvalues below this share of the largest are zero: the neighbours do not reach into that direction.
const FLAT: f64 = 1e-14;
/// Shares that differ by no more than this are equal: neighbourhoods of one shape have as many weights whatever rounding says.
const EQUAL: f64 = 1e-9;
/// Vectors whose sum is below this share of the largest possible have none.
const NO_SUM: f64 = 1e-8;

/// Modified locally linear embedding.
#[derive(Clone, Debug, PartialEq)]
pub struct ModifiedLle {
    /// Added to the diagonal of each neighbourhood's Gram matrix, relative to its trace, for the weights of LLE.
    pub regularization: f64,
    /// Dimension of the tangent spaces; `None` means that it is estimated from the neighbourhoods: as many directions
    /// as hold 95 % of their variance (`docs/methods.md` has the rule).
    pub local_dimension: Option<usize>,
}

impl Default for ModifiedLle {
    fn default() -> Self {
        ModifiedLle { regularization: 1e-3, local_dimension: None }
    }
}

impl ModifiedLle {
    /// Columns of the B_n: a weight for each neighbour beyond the tangent space. One direction where they are still to be
    /// estimated.
    fn width(&self, neighbors: usize) -> usize {
        neighbors.saturating_sub(self.local_dimension.unwrap_or(1)) + 1
    }
}

impl Method for ModifiedLle {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::new("reg", &mut self.regularization, "regularisation of the weights")
                .within(Range::POSITIVE),
            local_dimension_parameter(&mut self.local_dimension),
        ]
    }

    fn check(&self, _points: usize, neighbors: usize) -> Result<()> {
        check_local_dimension(self, self.local_dimension, neighbors, needed_neighbors)
    }

    fn memory(&self, points: usize, neighbors: usize) -> f64 {
        alignment_memory(points, neighbors, self.width(neighbors))
    }

    fn aside(&self, points: usize, neighbors: usize, entries: f64) -> f64 {
        alignment_aside(points, neighbors, self.width(neighbors), entries)
    }

    fn problem(&self, data: Data<'_>, progress: &Progress<'_>) -> Result<Problem> {
        let (points, lists) = data.neighborhoods(self)?;
        let (d, estimated) =
            local_dimension(self, self.local_dimension, points, lists, needed_neighbors)?;
        let counts = weight_counts(points, lists, d, progress)?;
        let width = counts.iter().max().map_or(1, |most| most + 1);
        let (offsets, members) = with_themselves(lists);
        let local =
            Local::compute(offsets, members, width, progress, Weigher::new, |i, _, weigher, rows| {
                let near = lists.of(i);
                let usual = weigher.barycentric(points, near, points.row(i), self.regularization)?;
                let usual: Vec<f64> = usual.collect();
                let (_, vectors) = eigen_descending(gram(&differences(points, lists, i)).as_ref())?;
                let flat: Vec<&[f64]> =
                    (near.len() - counts[i]..near.len()).map(|j| vectors.col_as_slice(j)).collect();
                write_weights(&usual, &flat, width, rows);
                Ok(())
            })?;
        aligned(local.assemble(0.0, 1.0, progress)?, points, d, estimated)
    }

    fn barycentric(&self) -> Option<f64> {
        Some(self.regularization)
    }
}

/// How many neighbours there must be in local dimension d, so that one weight is left.
fn needed_neighbors(d: usize) -> usize {
    d + 1
}

/// The differences between the neighbours of a point and the point.
fn differences(points: &Points, lists: &Neighborhoods, i: usize) -> Points {
    let mut differences = points.select(lists.of(i));
    differences.subtract(points.row(i));
    differences
}

/// Inner products of the rows.
fn gram(rows: &Points) -> Mat<f64> {
    Mat::from_fn(rows.rows(), rows.rows(), |a, b| dot(rows.row(a), rows.row(b)))
}

/// The eigenvalues of the inner products of the rows, largest first. Those of the columns have the same, but for zeros.
fn spectrum(rows: &Points) -> Result<Vec<f64>> {
    let (k, columns) = (rows.rows(), rows.columns());
    let of_columns = |a: usize, b: usize| (0..k).map(|r| rows.row(r)[a] * rows.row(r)[b]).sum();
    let products =
        if columns < k { Mat::from_fn(columns, columns, of_columns) } else { gram(rows) };
    let (mut values, _) = eigen_descending(products.as_ref())?;
    values.resize(k, 0.0);
    Ok(values)
}

/// How many weights each point has.
fn weight_counts(
    points: &Points,
    lists: &Neighborhoods,
    d: usize,
    progress: &Progress<'_>,
) -> Result<Vec<usize>> {
    let spectra = (0..lists.len()).into_par_iter().map(|i| {
        progress.check()?;
        let mut values = spectrum(&differences(points, lists, i))?;
        let flat = FLAT * values[0];
        values.iter_mut().filter(|value| **value <= flat).for_each(|value| *value = 0.0);
        Ok(values)
    });
    let spectra: Vec<Vec<f64>> = spectra.collect::<Result<_>>()?;
    let typical = median(spectra.iter().map(|values| share_beyond(values, d)).collect());
    Ok(spectra.iter().map(|values| weight_count(values, d, typical)).collect())
}

/// What the eigenvalues after the first so many amount to, beside these.
fn share_beyond(values: &[f64], first: usize) -> f64 {
    let (before, beyond) = values.split_at(first);
    let beyond: f64 = beyond.iter().sum();
    if beyond > 0.0 { beyond / before.iter().sum::<f64>() } else { 0.0 }
}

/// As many directions as are left out by d, or fewer, so that they hold a smaller share than is typical; at least one, and
/// all that the neighbours do not reach into.
fn weight_count(values: &[f64], d: usize, typical: f64) -> usize {
    let k = values.len();
    let is_small = |first: &usize| share_beyond(values, *first) < (1.0 - EQUAL) * typical;
    let kept = (d..k).find(is_small).unwrap_or(k - 1);
    let reached = values.iter().take_while(|value| **value > 0.0).count();
    k - kept.min(reached)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let (half, even) = (values.len() / 2, values.len().is_multiple_of(2));
    if even { 0.5 * (values[half - 1] + values[half]) } else { values[half] }
}

/// Writes B with B B' = [-1'; W] [-1'; W]', from the weights w of LLE and the orthonormal vectors V.
///
/// W W' is the same for all bases of what V spans. In that of p = V V'1 and vectors whose sum is zero it is what these
/// vectors make, and of all that is left one weighted mean, counted s times: of weights (1-a) w + a p/|p|^2.
fn write_weights(usual: &[f64], flat: &[&[f64]], width: usize, rows: &mut [f64]) {
    let (k, count) = (usual.len(), flat.len() as f64);
    let sums: Vec<f64> = flat.iter().map(|vector| vector.iter().sum()).collect();
    let square = dot(&sums, &sums);
    let has_sum = square > NO_SUM * NO_SUM * k as f64;
    let share = if has_sum { (square / count).sqrt() } else { 0.0 };
    let root = count.sqrt();
    // The reflection that takes the sums to the first axis: other vectors than the first have none then.
    let mut normal = sums.clone();
    normal[0] += square.sqrt().copysign(sums[0]);
    let length = dot(&normal, &normal);
    rows[0] = -root;
    for (a, row) in rows[width..].chunks_exact_mut(width).enumerate() {
        let entries = flat.iter().map(|vector| vector[a]);
        let mut mean = (1.0 - share) * usual[a];
        if has_sum {
            let along: f64 = entries.clone().zip(&sums).map(|(v, sum)| v * sum).sum();
            let turned: f64 = entries.clone().zip(&normal).map(|(v, n)| v * n).sum();
            mean += share * along / square;
            let others = entries.zip(&normal).skip(1);
            let others = others.map(|(v, n)| v - 2.0 * turned * n / length);
            row[1..].iter_mut().zip(others).for_each(|(out, value)| *out = value);
        } else {
            row[1..].iter_mut().zip(entries).for_each(|(out, value)| *out = value);
        }
        row[0] = root * mean;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Products of the rows that are written for these weights and vectors.
    fn products(usual: &[f64], flat: &[&[f64]], width: usize) -> Mat<f64> {
        let size = usual.len() + 1;
        let mut rows = vec![0.0; size * width];
        write_weights(usual, flat, width, &mut rows);
        let row = |a: usize| &rows[a * width..][..width];
        Mat::from_fn(size, size, |a, b| dot(row(a), row(b)))
    }

    /// The same by the formula of the paper.
    fn of_paper(usual: &[f64], flat: &[&[f64]]) -> Mat<f64> {
        let (k, s) = (usual.len(), flat.len());
        let sums: Vec<f64> = flat.iter().map(|v| v.iter().sum()).collect();
        let alpha = (dot(&sums, &sums) / s as f64).sqrt();
        let normal: Vec<f64> = sums.iter().map(|sum| alpha - sum).collect();
        let length = dot(&normal, &normal);
        let block = Mat::from_fn(k + 1, s, |a, j| match a {
            0 => -1.0,
            _ => {
                let entry = |i: usize| flat[i][a - 1];
                let along: f64 = (0..s).map(|i| entry(i) * normal[i]).sum();
                (1.0 - alpha) * usual[a - 1] + entry(j) - 2.0 * along * normal[j] / length
            }
        });
        &block * block.transpose()
    }

    fn largest(matrix: &Mat<f64>) -> f64 {
        matrix.col_iter().flat_map(|c| c.iter().map(|v| v.abs())).fold(0.0, f64::max)
    }

    #[test]
    fn one_mean_and_vectors_without_sum_are_the_weights_of_the_paper() {
        let k = 7;
        let gram = Mat::from_fn(k, k, |a, b| (((a * b) as f64).sin() + ((a + b) as f64).cos()).abs());
        let (_, vectors) = eigen_descending(gram.as_ref()).unwrap();
        let usual = [0.3, -0.1, 0.4, 0.1, 0.2, -0.2, 0.3];
        for count in [1, 2, 4] {
            let flat: Vec<&[f64]> = (k - count..k).map(|j| vectors.col_as_slice(j)).collect();
            let wanted = of_paper(&usual, &flat);
            for width in [count, count + 1, k + 2] {
                let found = products(&usual, &flat, width);
                assert!(largest(&(&found - &wanted)) < 1e-12, "{count} weights, {width} columns");
            }
        }
    }

    #[test]
    fn neighbours_at_one_place_have_weights_too() {
        // The vectors left are those whose sum is zero, in any basis.
        let (r, t) = (0.5_f64.sqrt(), 6.0_f64.sqrt().recip());
        let (c, s) = (0.3_f64.cos(), 0.3_f64.sin());
        let (one, two) = ([r, -r, 0.0], [t, t, -2.0 * t]);
        let turned = |a: f64, b: f64| [0, 1, 2].map(|i| a * one[i] + b * two[i]);
        let (three, four) = (turned(c, s), turned(-s, c));
        let usual = [1.0 / 3.0; 3];
        let found = products(&usual, &[&one, &two], 3);
        let again = products(&usual, &[&three, &four], 3);
        assert!(largest(&(&found - &again)) < 1e-14);
        for a in 0..4 {
            assert!((0..4).map(|b| found[(a, b)]).sum::<f64>().abs() < 1e-14);
        }
        assert!((found[(0, 0)] - 2.0).abs() < 1e-14);
    }

    #[test]
    fn few_columns_have_the_spectrum_of_the_rows() {
        let rows = |count: usize| {
            let values = (0..3 * count).map(|at| (at as f64).sin()).collect();
            Points::new(values, 3).unwrap()
        };
        for count in [2, 3, 4, 9] {
            let (rows, mut found) = (rows(count), spectrum(&rows(count)).unwrap());
            let (expected, _) = eigen_descending(gram(&rows).as_ref()).unwrap();
            assert_eq!(found.len(), count);
            found.iter_mut().zip(expected).for_each(|(found, value)| *found -= value);
            assert!(found.iter().all(|off| off.abs() < 1e-13), "{found:?}");
        }
    }

    #[test]
    fn weights_are_as_many_as_the_spectrum_lets() {
        // As many as the dimension leaves, fewer where the rest is not small, one at least, and all that the neighbours do
        // not reach into.
        for (values, typical, count) in [
            ([4.0, 3.0, 0.1, 0.1, 0.0], 0.1, 3),
            ([4.0, 3.0, 1.0, 0.1, 0.0], 0.1, 2),
            ([4.0, 3.0, 2.0, 2.0, 2.0], 0.1, 1),
            ([4.0, 0.1, 0.1, 0.1, 0.1], 1.0, 3),
            ([4.0, 0.0, 0.0, 0.0, 0.0], 1.0, 4),
            ([4.0, 3.0, 2.0, 0.0, 0.0], 0.0, 2),
        ] {
            assert_eq!(weight_count(&values, 2, typical), count, "{values:?} beside {typical}");
        }
    }
}
