//! What solvers would take, before anything is factorised.
//!
//! A breadth-first search tells how deep the graph of a matrix is, and with it how large its separators are: of N points in
//! h layers one has about N/h. A factor has some multiple of (N/h)^2 entries and takes some multiple of (N/h)^3
//! multiplications, which the analysis of the pattern then tells exactly, if it is worth analysing at all.
//! Times are in seconds of one core, for the first 16 eigenpairs, those of the default strategy with many points; only their ratios matter.

use super::sparse_cholesky::Cost;
use crate::linalg::SparseMatrix;
use crate::problem::{End, Problem};

/// Entries of a factor over (N/h)^2, and multiplications over (N/h)^3: what cubes of three to five dimensions have.
const ENTRIES: f64 = 12.0;
const MULTIPLICATIONS: f64 = 10.0;
/// Multiplications a second while factorising,
const FACTORIZING: f64 = 1.0e10;
/// and while solving, where the factor is read from memory for a block of vectors.
const SOLVING: f64 = 1.2e9;
/// Seconds to order an entry of the matrix.
const ORDERING: f64 = 6e-7;
/// Solves with a block of four vectors.
const SOLVES: f64 = 28.0;
/// Seconds that a block of four vectors takes on all levels for an entry of the matrix,
const CYCLE: f64 = 6e-8;
/// and for a point to stay orthogonal to the basis.
const ORTHOGONALIZING: f64 = 6e-7;
/// Steps of the Davidson iteration for a Laplacian, whatever its size,
const STEPS: f64 = 52.0;
/// and for alignment matrices, whose gaps are the fourth power of the depth: so many, and more with the depth.
const STEPS_OF_ALIGNMENT: f64 = 40.0;
const STEPS_BY_DEPTH: f64 = 4.5;

/// What multigrid can make of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Levels {
    /// A Laplacian: the trivial direction tells its levels.
    Laplacian,
    /// An alignment matrix with its near-null vectors.
    Alignment,
    /// Nothing: what the matrix nearly annihilates is not known.
    Unknown,
}

impl Levels {
    pub(crate) fn of(problem: &Problem) -> Self {
        match problem.end {
            End::Largest => Levels::Laplacian,
            End::Smallest if problem.near_null.is_empty() => Levels::Unknown,
            End::Smallest => Levels::Alignment,
        }
    }
}

/// What is known of a sparse matrix at a glance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glance {
    pub(crate) points: f64,
    pub(crate) entries: f64,
    /// Layers of a breadth-first search from one end to the other.
    pub(crate) depth: f64,
    pub(crate) levels: Levels,
}

impl Glance {
    pub(crate) fn new(matrix: &SparseMatrix, levels: Levels) -> Self {
        let (points, entries) = (matrix.size() as f64, matrix.entries() as f64);
        Glance { points, entries, depth: f64::from(depth(matrix)), levels }
    }

    /// The same where it is the factor that is known.
    pub(crate) fn of_factor(points: f64, entries: f64, factor: Cost, levels: Levels) -> Self {
        let separator = (factor.flops / MULTIPLICATIONS).cbrt().max(1.0);
        Glance { points, entries, depth: (points / separator).max(1.0), levels }
    }

    /// What a factor would cost, roughly.
    pub(crate) fn factor(&self) -> Cost {
        let separator = self.points / self.depth;
        Cost {
            entries: (ENTRIES * separator.powi(2)).min(0.5 * self.points * self.points),
            flops: (MULTIPLICATIONS * separator.powi(3)).min(self.points.powi(3) / 6.0),
            ..Cost::default()
        }
    }

    /// Seconds of shift-invert with a factor that costs so much.
    pub(crate) fn shift_invert(&self, factor: Cost) -> f64 {
        let solving = 8.0 * factor.entries / SOLVING + ORTHOGONALIZING * self.points;
        ORDERING * self.entries + factor.flops / FACTORIZING + SOLVES * solving
    }

    /// Seconds of multigrid; infinitely many where it has no levels.
    pub(crate) fn multigrid(&self) -> f64 {
        let steps = match self.levels {
            Levels::Laplacian => STEPS,
            Levels::Alignment => STEPS_OF_ALIGNMENT + STEPS_BY_DEPTH * self.depth,
            Levels::Unknown => f64::INFINITY,
        };
        let setting_up = 4.0 * CYCLE * self.entries;
        setting_up + steps * (CYCLE * self.entries + ORTHOGONALIZING * self.points)
    }
}

/// Layers of the graph of a matrix, seen from a vertex far out.
fn depth(matrix: &SparseMatrix) -> u32 {
    const UNSEEN: u32 = u32::MAX;
    let mut layer = vec![UNSEEN; matrix.size()];
    let mut queue: Vec<u32> = Vec::with_capacity(matrix.size());
    let mut start = 0;
    let mut deepest = 1;
    for _ in 0..2 {
        layer.fill(UNSEEN);
        queue.clear();
        queue.push(start);
        layer[start as usize] = 1;
        let mut next = 0;
        while let Some(&i) = queue.get(next) {
            next += 1;
            for &j in matrix.columns(i as usize) {
                if layer[j as usize] == UNSEEN {
                    layer[j as usize] = layer[i as usize] + 1;
                    queue.push(j);
                }
            }
        }
        start = queue[queue.len() - 1];
        deepest = layer[start as usize];
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::SparseMatrix;

    #[test]
    fn the_depth_of_a_path_is_its_length() {
        let edges: Vec<_> = (0..9).flat_map(|i| [(i, i + 1, 1.0), (i + 1, i, 1.0)]).collect();
        assert_eq!(depth(&SparseMatrix::new(10, &edges).unwrap()), 10);
    }

    #[test]
    fn flat_graphs_are_factorised_and_thick_ones_are_not() {
        let glance = |points: f64, dimension: f64, levels| {
            let depth = 1.2 * points.powf(1.0 / dimension);
            Glance { points, entries: 12.0 * points, depth, levels }
        };
        for levels in [Levels::Laplacian, Levels::Alignment] {
            let flat = glance(1e5, 2.0, levels);
            assert!(flat.shift_invert(flat.factor()) < flat.multigrid());
            let thick = glance(1e5, 5.0, levels);
            let again = Glance::of_factor(1e5, thick.entries, thick.factor(), levels);
            assert!((again.depth - thick.depth).abs() < 1e-6 * thick.depth);
            assert!(thick.shift_invert(thick.factor()) > 10.0 * thick.multigrid());
        }
    }
}
