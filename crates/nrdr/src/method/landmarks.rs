//! Landmark Isomap: Isomap without a matrix of all pairs.
//!
//! V. de Silva and J. Tenenbaum, "Sparse multidimensional scaling using landmark points", Stanford (2004).
//!
//! Shortest paths begin at m landmarks only, which lie evenly along the order of the points: that of a kd-tree, where points
//! are given. The columns of -1/2 G that belong to them tell the rest (`linalg/nystrom.rs`), and the matrix of rank m is centred
//! over all points. A new point needs its distances from the landmarks alone.

use std::ops::Range;

use faer::Mat;

use super::isomap::{Isomap, lengths, read_graph, save_graph};
use super::{About, BESIDE, Data, Extension, Fit, Method};
use crate::error::{Error, Result};
use crate::extend::{Arrays, Extend, New, Tied, Training, Weigh, check_part};
use crate::graph::paths::{Paths, distances_from, unit};
use crate::linalg::low_rank::Rows;
use crate::linalg::{SparseMatrix, nystrom};
use crate::parameter::Parameter;
use crate::problem::{End, Length, Problem};
use crate::progress::Progress;
use crate::warning::Warning;

/// How many landmarks there are at first, where their number is not given; then twice as many, and so on,
const FIRST: usize = 256;
/// at most so many.
const MOST: usize = 1024;
/// They are enough when every other one of them gives the three leading coordinates so well: this is the angle between g and A g, in
/// radians. With all of them |correlation| with the exact coordinates is above .999 then (`tests/low_rank.rs`).
const ACCURACY: f64 = 0.05;
/// Eigenvectors that are kept at most where the number of landmarks is not given.
const KEPT: usize = 256;
/// Points at which coordinates are compared.
const COMPARED: usize = 2000;

/// Isomap by as many landmarks as the coordinates take, or as fit.
#[derive(Clone, Debug)]
pub(super) struct Landmarked {
    isomap: Isomap,
    most: usize,
}

impl Landmarked {
    /// With as many landmarks as fit so many bytes.
    pub(super) fn within(isomap: &Isomap, points: usize, bytes: Option<u64>) -> Self {
        let fits = |m: usize| {
            let needed = memory(points, m) + BESIDE * points as f64;
            bytes.is_none_or(|bytes| needed <= bytes as f64)
        };
        let mut most = FIRST;
        while 2 * most <= MOST && fits(2 * most) {
            most *= 2;
        }
        Landmarked { isomap: isomap.clone(), most }
    }
}

/// Bytes of the distances from so many landmarks, and of eigenvectors.
pub(super) fn memory(points: usize, landmarks: usize) -> f64 {
    points as f64 * (4 * landmarks + 8 * landmarks.min(KEPT)) as f64
}

impl Method for Landmarked {
    fn about(&self) -> &'static About {
        self.isomap.about()
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        self.isomap.parameters()
    }

    fn memory(&self, points: usize, _neighbors: usize) -> f64 {
        memory(points, self.most.min(2 * FIRST))
    }

    fn problem(&self, data: Data<'_>, progress: &Progress<'_>) -> Result<Problem> {
        let graph = lengths(data, &self.isomap)?;
        let mut known = Known::new(graph);
        let (mut count, most) = (FIRST.min(graph.size()), self.most.min(graph.size()));
        let change = loop {
            known.extend_to(count, most, progress)?;
            let change = known.change()?;
            if change <= ACCURACY || 2 * count > most {
                break change;
            }
            count *= 2;
        };
        let mut problem = known.problem(KEPT)?;
        problem.chosen.push(("landmarks", count as f64));
        if change > ACCURACY {
            problem.warnings.push(Warning::Unsettled { name: "landmarks", columns: count, change });
        }
        Ok(problem)
    }

    fn extends(&self) -> Result<Extension> {
        self.isomap.extends()
    }

    fn extension(&self, fit: &Fit<'_>) -> Result<Box<dyn Extend>> {
        self.isomap.extension(fit)
    }
}

/// The problem of so many landmarks.
pub(super) fn problem(
    graph: &SparseMatrix,
    count: usize,
    progress: &Progress<'_>,
) -> Result<Problem> {
    let mut known = Known::new(graph);
    let count = count.min(graph.size());
    known.extend_to(count, count, progress)?;
    known.problem(usize::MAX)
}

/// Landmarks, evenly along the rows.
fn places(rows: usize, count: usize) -> Vec<u32> {
    (0..count).map(|i| (i * rows / count) as u32).collect()
}

/// What is known of all distances.
struct Known<'g> {
    graph: &'g SparseMatrix,
    landmarks: Vec<u32>,
    /// From each landmark to all points, in units of
    distances: Vec<Vec<f32>>,
    /// so much.
    unit: f64,
}

impl<'g> Known<'g> {
    fn new(graph: &'g SparseMatrix) -> Self {
        Known { graph, landmarks: Vec::new(), distances: Vec::new(), unit: unit(graph) }
    }

    /// Until there are so many landmarks, of which there are `most` in the end. Twice as many as before are those from before, and as
    /// many more between them.
    fn extend_to(&mut self, count: usize, most: usize, progress: &Progress<'_>) -> Result<()> {
        let landmarks = places(self.graph.size(), count);
        let new: Vec<u32> =
            landmarks.iter().copied().filter(|l| !self.landmarks.contains(l)).collect();
        let mut found = distances_from(self.graph, &new, most, progress)?.into_iter();
        let mut known = std::mem::take(&mut self.distances);
        self.distances = landmarks
            .iter()
            .filter_map(|l| match self.landmarks.iter().position(|known| known == l) {
                Some(at) => Some(std::mem::take(&mut known[at])),
                None => found.next(),
            })
            .collect();
        self.landmarks = landmarks;
        Ok(())
    }

    /// -1/2 G of the landmarks.
    fn block(&self) -> Mat<f64> {
        let m = self.landmarks.len();
        let distance = |i: usize, j: usize| self.distances[j][self.landmarks[i] as usize];
        Mat::from_fn(m, m, |i, j| half_square(distance(i, j), self.unit))
    }

    /// How much the leading coordinates depend on every other landmark.
    fn change(&self) -> Result<f64> {
        let rows = places(self.len(), COMPARED.min(self.len()));
        let value =
            |i: usize, j: usize| half_square(self.distances[j][rows[i] as usize], self.unit);
        nystrom::change(Mat::from_fn(rows.len(), self.width(), value), &self.block())
    }

    fn problem(&self, most: usize) -> Result<Problem> {
        let matrix = nystrom::matrix(self, self.block(), most)?;
        let mut problem = Problem::constant_trivial(matrix, End::Largest);
        problem.length = Length::SquareRoot;
        Ok(problem)
    }
}

/// -1/2 the square of a distance in units of so much.
fn half_square(distance: f32, unit: f64) -> f64 {
    -0.5 * (unit * f64::from(distance)).powi(2)
}

impl Rows for Known<'_> {
    fn len(&self) -> usize {
        self.graph.size()
    }

    fn width(&self) -> usize {
        self.landmarks.len()
    }

    fn piece(&self, rows: Range<usize>) -> Mat<f64> {
        let mut piece = Mat::zeros(rows.len(), self.width());
        for (j, distances) in self.distances.iter().enumerate() {
            let into = piece.col_as_slice_mut(j).iter_mut();
            into.zip(&distances[rows.clone()]).for_each(|(to, &d)| *to = half_square(d, self.unit));
        }
        piece
    }
}

/// The extension: by the lengths of the shortest paths from the new point to the landmarks.
#[derive(Clone, Debug)]
pub(super) struct ToLandmarks {
    graph: SparseMatrix,
    landmarks: Vec<u32>,
    unit: f64,
}

impl ToLandmarks {
    pub(super) fn new(graph: SparseMatrix, count: usize) -> Self {
        let landmarks = places(graph.size(), count.min(graph.size()));
        let unit = unit(&graph);
        ToLandmarks { graph, landmarks, unit }
    }

    pub(super) fn load(arrays: &mut Arrays, rows: usize, count: usize) -> Result<Self> {
        let graph = read_graph(arrays)?;
        check_part(graph.size() == rows, "its graph has another size")?;
        check_part(count > 0, "no landmarks")?;
        Ok(ToLandmarks::new(graph, count))
    }

    /// -1/2 the squared distances from the landmarks, as exact as those of the training points are.
    fn at(&self, distances: &[f64]) -> impl Iterator<Item = f64> {
        let distance = |l: u32| (distances[l as usize] / self.unit) as f32;
        self.landmarks.iter().map(move |&l| half_square(distance(l), self.unit))
    }
}

impl Extend for ToLandmarks {
    fn weigher<'e>(&'e self, _: &'e Training) -> Box<dyn Weigh + 'e> {
        Box::new(ByLandmarks { extension: self, paths: Paths::new(&self.graph) })
    }

    fn first_row(&self, _: &Training) -> Option<Vec<f64>> {
        let mut paths = Paths::new(&self.graph);
        Some(self.at(paths.from([(0, 0.0)])).collect())
    }

    fn width(&self) -> Option<usize> {
        Some(self.landmarks.len())
    }

    fn save(&self, arrays: &mut Arrays) {
        save_graph(&self.graph, arrays);
    }
}

struct ByLandmarks<'e> {
    extension: &'e ToLandmarks,
    paths: Paths<'e>,
}

impl Weigh for ByLandmarks<'_> {
    fn weigh(&mut self, new: &New<'_>, weights: &mut Vec<f64>) -> Result<Tied> {
        let sources = new.near.iter().map(|&(squared, j)| (j, squared.sqrt()));
        weights.clear();
        weights.extend(self.extension.at(self.paths.from(sources)));
        match weights.iter().find(|weight| !weight.is_finite()) {
            Some(&value) => Err(Error::TooFar { row: new.row, value }),
            None => Ok(Tied::Numbers),
        }
    }
}
