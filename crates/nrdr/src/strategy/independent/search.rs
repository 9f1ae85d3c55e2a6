//! Which set of candidates: all sets where they are few, otherwise sets that grow by one candidate at a time.

use rayon::prelude::*;

use super::metric::Frame;
use crate::error::Result;
use crate::linalg::reduce::{count, sum_all};
use crate::progress::Progress;

/// All sets are looked at if there are no more of them.
const MOST_SETS: usize = 10_000;
/// Sets that are looked at before progress is told.
const BLOCK: usize = 500;
/// Points of a piece of work.
const PIECE: usize = 64;
/// A squared volume below this is rounding.
const FLAT: f64 = f64::EPSILON;
/// The share of points that may prefer a better set to the one that is kept for its lower energy.
const OBJECTIONS: f64 = 0.25;

/// What a search looks at.
pub(super) struct Search<'s> {
    pub(super) frames: &'s [Frame],
    /// Energy of each candidate.
    pub(super) energies: &'s [f64],
    pub(super) zeta: Option<f64>,
    pub(super) progress: &'s Progress<'s>,
}

/// What a search found.
pub(super) struct Chosen {
    /// Candidates, counted from 0.
    pub(super) set: Vec<usize>,
    /// exp of the mean logarithm of their volume: 1 is orthogonal everywhere.
    pub(super) volume: f64,
}

impl Search<'_> {
    /// The best set of so many candidates, ascending.
    pub(super) fn best(&self, size: usize) -> Result<Chosen> {
        let Some(sets) = sets(self.energies.len(), size) else {
            let mut grown = self.growing(size)?;
            grown.set.sort_unstable();
            return Ok(grown);
        };
        self.choose(sets, 0.0, 1.0)
    }

    /// The best set that comes of adding the best candidate to the set before, in the order of adding.
    pub(super) fn growing(&self, size: usize) -> Result<Chosen> {
        let mut chosen = Chosen { set: vec![0], volume: 1.0 };
        for length in 1..size {
            let others = (1..self.energies.len()).filter(|k| !chosen.set.contains(k));
            let longer = |k| chosen.set.iter().copied().chain([k]).collect();
            let sets: Vec<Vec<usize>> = others.map(longer).collect();
            let share = 1.0 / (size - 1) as f64;
            chosen = self.choose(sets, (length - 1) as f64 * share, share)?;
        }
        Ok(chosen)
    }

    /// The best of some sets; progress goes from `start` on by `share`.
    fn choose(&self, mut sets: Vec<Vec<usize>>, start: f64, share: f64) -> Result<Chosen> {
        let looked = self.look(&sets, start, share)?;
        let at = match self.zeta {
            Some(zeta) => looked.best(zeta),
            None => looked.cheapest(),
        };
        Ok(Chosen { set: sets.swap_remove(at), volume: looked.means[at].exp() })
    }

    /// Looks at all points with all sets.
    fn look(&self, sets: &[Vec<usize>], start: f64, share: f64) -> Result<Looked> {
        let mut totals = Vec::with_capacity(sets.len());
        // Of each point the best set so far and its volume.
        let mut favourites = vec![(f64::NEG_INFINITY, 0); self.frames.len()];
        for (block, some) in sets.chunks(BLOCK).enumerate() {
            let first = block * BLOCK;
            let pieces: Vec<Vec<f64>> = self
                .frames
                .par_chunks(PIECE)
                .zip(favourites.par_chunks_mut(PIECE))
                .map(|(frames, favourites)| sums(frames, favourites, some, first))
                .collect();
            let add = |at: usize| pieces.iter().map(|piece| piece[at]).sum();
            totals.extend(sum_all((0..some.len()).map(add).collect()));
            self.progress.report(start + share * (first + some.len()) as f64 / sets.len() as f64)?;
        }
        let mut votes = vec![0.0; sets.len()];
        favourites.iter().for_each(|&(_, at)| votes[at] += 1.0);
        let points = count(self.frames.len()) as f64;
        let of_points = |all: Vec<f64>| all.into_iter().map(|v| v / points).collect();
        let energy = |set: &Vec<usize>| set.iter().map(|&k| self.energies[k]).sum();
        Ok(Looked {
            means: of_points(totals),
            votes: of_points(sum_all(votes)),
            energies: sets.iter().map(energy).collect(),
        })
    }
}

/// The sum of each set over some points, which also remember the set that they like best.
fn sums(
    frames: &[Frame],
    favourites: &mut [(f64, usize)],
    sets: &[Vec<usize>],
    first: usize,
) -> Vec<f64> {
    let mut gram = Vec::new();
    let mut sums = vec![0.0; sets.len()];
    for (frame, favourite) in frames.iter().zip(favourites) {
        for (at, set) in sets.iter().enumerate() {
            let volume = log_volume(frame, set, &mut gram);
            sums[at] += volume;
            if volume > favourite.0 {
                *favourite = (volume, first + at);
            }
        }
    }
    sums
}

/// 1/2 log det U_S' U_S - sum_k log |u_k|, by elimination. A set that is smaller than the dimension is judged by as many of the
/// principal directions as it has candidates.
fn log_volume(frame: &Frame, set: &[usize], gram: &mut Vec<f64>) -> f64 {
    let d = frame.columns.min(set.len());
    gram.clear();
    gram.resize(d * d, 0.0);
    for &k in set {
        let row = &frame.row(k)[..d];
        for a in 0..d {
            for b in 0..=a {
                gram[a * d + b] += row[a] * row[b];
            }
        }
    }
    let mut squared = 1.0;
    for c in 0..d {
        // The pivot is what is left of the column's squared length once the earlier columns are taken out.
        let length = gram[c * d + c];
        let mut pivot = length;
        for b in 0..c {
            pivot -= gram[c * d + b] * gram[c * d + b];
        }
        if !(pivot > FLAT * length) {
            return 0.5 * FLAT.ln();
        }
        squared *= pivot / length;
        let root = pivot.sqrt();
        gram[c * d + c] = root;
        for a in c + 1..d {
            let mut entry = gram[a * d + c];
            for b in 0..c {
                entry -= gram[a * d + b] * gram[c * d + b];
            }
            gram[a * d + c] = entry / root;
        }
    }
    0.5 * squared.max(FLAT).ln()
}

/// What all points say of all sets.
struct Looked {
    /// Mean logarithm of the volume.
    means: Vec<f64>,
    /// Share of the points whose favourite it is.
    votes: Vec<f64>,
    /// Sum of the candidates' energies.
    energies: Vec<f64>,
}

impl Looked {
    /// The set with the largest mean less zeta times its energy; of equals the first.
    fn best(&self, zeta: f64) -> usize {
        let value = |at: usize| self.means[at] - zeta * self.energies[at];
        (1..self.means.len()).fold(0, |best, at| if value(at) > value(best) { at } else { best })
    }

    /// The best set of the largest zeta to which few points object: as zeta grows from 0 sets of less and less energy are
    /// best; a point objects to one whose mean is below that of the point's own favourite.
    fn cheapest(&self) -> usize {
        let mut current = self.best(0.0);
        while let Some(next) = self.next(current) {
            let better = |&at: &usize| self.means[at] > self.means[next];
            let objections: f64 =
                (0..self.means.len()).filter(better).map(|at| self.votes[at]).sum();
            if objections > OBJECTIONS {
                break;
            }
            current = next;
        }
        current
    }

    /// The set that is best once zeta is just too large for the current one.
    fn next(&self, current: usize) -> Option<usize> {
        let zeta = |at: usize| {
            (self.means[current] - self.means[at]) / (self.energies[current] - self.energies[at])
        };
        let cheaper = (0..self.means.len()).filter(|&at| self.energies[at] < self.energies[current]);
        cheaper.min_by(|&a, &b| {
            zeta(a).total_cmp(&zeta(b)).then(self.energies[a].total_cmp(&self.energies[b]))
        })
    }
}

/// All sets of so many of the candidates that have the first one, or `None` if they are too many.
fn sets(candidates: usize, size: usize) -> Option<Vec<Vec<usize>>> {
    let mut number = 1.0;
    for i in 1..size {
        number *= (candidates - i) as f64 / i as f64;
    }
    if number > MOST_SETS as f64 + 0.5 {
        return None;
    }
    let mut all = vec![vec![0]];
    for _ in 1..size {
        let longer = |set: Vec<usize>| {
            let last = set.last().copied().unwrap_or(0);
            (last + 1..candidates).map(move |k| set.iter().copied().chain([k]).collect())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked(rows: &[(f64, f64, f64)]) -> Looked {
        Looked {
            means: rows.iter().map(|row| row.0).collect(),
            votes: rows.iter().map(|row| row.1).collect(),
            energies: rows.iter().map(|row| row.2).collect(),
        }
    }

    #[test]
    fn all_sets_have_the_first_candidate() {
        assert_eq!(sets(4, 3), Some(vec![vec![0, 1, 2], vec![0, 1, 3], vec![0, 2, 3]]));
        assert_eq!(sets(5, 1), Some(vec![vec![0]]));
        assert_eq!(sets(3, 3), Some(vec![vec![0, 1, 2]]));
        assert_eq!(sets(40, 4).map(|all| all.len()), Some(9139));
        assert_eq!(sets(50, 5), None);
    }

    #[test]
    fn a_cheaper_set_is_kept_while_few_object() {
        // Best, nearly as good and cheap, and the cheapest that nobody likes.
        let few = looked(&[(-0.1, 0.2, 9.0), (-0.2, 0.8, 3.0), (-5.0, 0.0, 1.0)]);
        assert_eq!((few.best(0.0), few.best(0.1), few.best(10.0), few.cheapest()), (0, 1, 2, 1));
        let many = looked(&[(-0.1, 0.3, 9.0), (-0.2, 0.7, 3.0), (-5.0, 0.0, 1.0)]);
        assert_eq!(many.cheapest(), 0);
    }

    #[test]
    fn the_volume_is_that_of_the_formula() {
        let rows = [[0.8, 0.1], [0.3, -0.5], [-0.2, 0.6]];
        let frame = Frame { entries: rows.concat(), columns: 2 };
        for set in [vec![0, 1], vec![0, 2], vec![0, 1, 2]] {
            let entry = |a: usize, b: usize| set.iter().map(|&k| rows[k][a] * rows[k][b]).sum::<f64>();
            let det = entry(0, 0) * entry(1, 1) - entry(0, 1).powi(2);
            let expected = 0.5 * det.ln() - 0.5 * (entry(0, 0).ln() + entry(1, 1).ln());
            let found = log_volume(&frame, &set, &mut Vec::new());
            assert!((found - expected).abs() < 1e-12, "{set:?}: {found}, {expected}");
        }
        // One candidate has one direction, and none without.
        assert_eq!(log_volume(&frame, &[0], &mut Vec::new()), 0.0);
        let flat = Frame { entries: vec![0.0, 0.0, 1.0, 0.0], columns: 2 };
        assert_eq!(log_volume(&flat, &[0, 1], &mut Vec::new()), 0.5 * FLAT.ln());
        assert_eq!(log_volume(&Frame { entries: vec![], columns: 0 }, &[0, 1], &mut Vec::new()), 0.0);
    }
}
