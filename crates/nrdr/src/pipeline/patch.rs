//! A look at a small part of the input: how dense the graph and the matrix of all of it will be, and how its factor fills.
//!
//! The fill of a factor is known only once the whole matrix is there. By nested dissection it has about a + b g(N) entries
//! a row for N points of dimension d, g(N) = ln N for a surface and N^(1 - 2/d) for more dimensions; a and b are those of two
//! patches, one inside the other, of points that are nearest to one of them: their graph is as dense as the whole.

use crate::checkpoint::Kept;
use crate::eigen::{Cost, Levels, factor_cost};
use crate::error::{Error, Result};
use crate::graph::{Graph, Policy, Symmetry};
use crate::input::{Input, Options};
use crate::linalg::{Matrix, SparseMatrix, SymmetricMatrix};
use crate::memory;
use crate::method::Method;
use crate::metric::Metric;
use crate::points::Points;
use crate::progress::{Progress, Watch};
use crate::stage::Stage;

use super::arranged::Arranged;

/// Points of a patch, and how many times fewer the one inside it has.
const LARGE: usize = 6000;
const SMALLER: usize = 4;
/// Distances are looked at on fewer points: all pairs of them are copied.
const LARGE_OF_DISTANCES: usize = 2000;
/// Where the centres of patches are, as shares of the rows.
const CENTRES: [f64; 3] = [0.2, 0.5, 0.8];
/// Dimensions that a factor could be computed for, at most.
const MOST_DIMENSIONS: f64 = 20.0;

/// What was seen.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// Edges of a point in the graph of neighbours.
    pub(super) edges: f64,
    /// The dimension that the points have for their neighbours.
    pub(super) dimension: f64,
    /// Of a sparse matrix: its entries in a row and what multigrid can make of it,
    pub(super) matrix: Option<(f64, Levels)>,
    /// and the cost of the factors of patches with so many points each.
    costs: Vec<(f64, Cost)>,
    /// A patch of points, where there are points.
    pub(super) points: Option<Points>,
}

/// Looks at patches of an input.
pub(super) fn look(input: Input<'_>, method: &dyn Method, options: &Options) -> Result<Look> {
    let n = input.size();
    let large = match input {
        Input::Distances(_) => LARGE_OF_DISTANCES,
        _ => LARGE,
    };
    if n <= large {
        return Seen { patch: Patch::Given(input), method, options }.look();
    }
    let mut looks = Vec::new();
    for centre in CENTRES {
        let nearest = nearest(input, options.metric, (centre * n as f64) as usize, large)?;
        for size in [large / SMALLER, large] {
            let patch = Patch::of(input, &nearest[..size.min(nearest.len())])?;
            looks.push(Seen { patch, method, options }.look()?);
        }
    }
    Look::mean(looks).ok_or(Error::Empty)
}

impl Look {
    /// Nothing but the edges of a point was seen.
    pub(super) fn blind(edges: f64) -> Self {
        let (matrix, costs) = (Some((edges, Levels::Laplacian)), Vec::new());
        Look { edges, dimension: f64::NAN, matrix, costs, points: None }
    }

    /// The mean of looks at smaller and larger patches by turns.
    fn mean(mut looks: Vec<Look>) -> Option<Look> {
        let mut costs = Vec::new();
        for first in 0..2 {
            let of_size = looks.iter().skip(first).step_by(2).filter_map(|look| look.costs.first());
            let of_size: Vec<&(f64, Cost)> = of_size.collect();
            let mean = |value: fn(&(f64, Cost)) -> f64| {
                of_size.iter().map(|found| value(found)).sum::<f64>() / of_size.len() as f64
            };
            if !of_size.is_empty() {
                let cost = Cost {
                    entries: mean(|(_, cost)| cost.entries),
                    flops: mean(|(_, cost)| cost.flops),
                    held: mean(|(_, cost)| cost.held),
                    structure: mean(|(_, cost)| cost.structure),
                };
                costs.push((mean(|(points, _)| *points), cost));
            }
        }
        let last = looks.len().checked_sub(1)?;
        let large: Vec<&Look> = looks.iter().skip(1).step_by(2).collect();
        let mean = |value: fn(&Look) -> f64| {
            large.iter().map(|look| value(look)).sum::<f64>() / large.len() as f64
        };
        let matrix = looks[last].matrix.map(|(_, levels)| (mean(|look| look.entries()), levels));
        let (edges, dimension) = (mean(|look| look.edges), mean(|look| look.dimension));
        Some(Look { edges, dimension, matrix, costs, points: looks.swap_remove(last).points })
    }

    /// Entries of a row of the matrix.
    pub(super) fn entries(&self) -> f64 {
        self.matrix.map_or(0.0, |(entries, _)| entries)
    }

    /// The cost of the factor of so many points; `None` where there is none.
    pub(super) fn cost(&self, points: usize) -> Option<Cost> {
        let (n, d) = (points as f64, self.dimension.clamp(1.0, MOST_DIMENSIONS));
        let (size, cost) = self.costs.last()?;
        let grown = |value: fn(&Cost) -> f64, power: f64| match self.costs.as_slice() {
            [(small, less), (large, more)] => {
                let (less, more) = (value(less) / small, value(more) / large);
                let slope = (more - less) / (growth(*large, power) - growth(*small, power));
                n * (more + slope.max(0.0) * (growth(n, power) - growth(*large, power)).max(0.0))
            }
            _ => n * value(cost) / size,
        };
        Some(Cost {
            entries: grown(|cost| cost.entries, (1.0 - 2.0 / d).max(0.0)),
            flops: grown(|cost| cost.flops, (2.0 - 3.0 / d).max(0.0)),
            held: cost.held * (n / size).powf((2.0 - 2.0 / d).max(0.5)),
            structure: cost.structure * n / size,
        })
    }
}

/// (N^power - 1) / power, which is ln N for a power of zero.
fn growth(n: f64, power: f64) -> f64 {
    if power < 1e-6 { n.ln() } else { (n.powf(power) - 1.0) / power }
}

/// Part of an input.
enum Patch<'a> {
    Given(Input<'a>),
    Points(Points),
    Distances(SymmetricMatrix),
    Graph(Graph),
    Matrix(Matrix),
}

impl<'a> Patch<'a> {
    /// Some rows of an input.
    fn of(input: Input<'a>, rows: &[u32]) -> Result<Self> {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        Ok(match input {
            Input::Points(points) => Patch::Points(points.select(&rows)),
            Input::Distances(all) => {
                let row = |i: u32| rows.iter().map(move |&j| all.row(i as usize)[j as usize]);
                let values = rows.iter().flat_map(|&i| row(i)).collect();
                Patch::Distances(SymmetricMatrix::new(values)?)
            }
            Input::Graph(graph) => {
                Patch::Graph(Graph { edges: graph.edges.select(&rows), kind: graph.kind })
            }
            Input::Matrix(Matrix::Sparse(matrix)) => Patch::Matrix(matrix.select(&rows).into()),
            Input::Matrix(_) => Patch::Given(input),
        })
    }

    fn input(&self) -> Input<'_> {
        match self {
            Patch::Given(input) => *input,
            Patch::Points(points) => Input::Points(points),
            Patch::Distances(distances) => Input::Distances(distances),
            Patch::Graph(graph) => Input::Graph(graph),
            Patch::Matrix(matrix) => Input::Matrix(matrix),
        }
    }
}

/// So many rows that are nearest to one of them, the nearest first.
fn nearest(input: Input<'_>, metric: Metric, centre: usize, count: usize) -> Result<Vec<u32>> {
    let by_distance = |distance: &dyn Fn(usize) -> f64| {
        let mut rows: Vec<(f64, u32)> =
            (0..input.size()).map(|i| (distance(i), i as u32)).collect();
        rows.select_nth_unstable_by(count - 1, |a, b| a.partial_cmp(b).unwrap_or(a.1.cmp(&b.1)));
        rows.truncate(count);
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        rows.into_iter().map(|(_, i)| i).collect()
    };
    Ok(match input {
        Input::Points(points) => {
            let seen = metric.seen(points)?;
            by_distance(&|i| metric.measure(seen.row(centre), seen.row(i)))
        }
        Input::Distances(distances) => by_distance(&|i| distances.row(centre)[i]),
        Input::Graph(graph) => reached(&graph.edges, centre, count),
        Input::Matrix(Matrix::Sparse(matrix)) => reached(matrix, centre, count),
        Input::Matrix(_) => (0..count as u32).collect(),
    })
}

/// So many rows that are first reached from one of them along the entries.
fn reached(edges: &SparseMatrix, start: usize, count: usize) -> Vec<u32> {
    let mut is_reached = vec![false; edges.size()];
    let mut rows = vec![start as u32];
    is_reached[start] = true;
    let mut next = 0;
    while let Some(&i) = rows.get(next).filter(|_| rows.len() < count) {
        next += 1;
        for &j in edges.columns(i as usize) {
            if !std::mem::replace(&mut is_reached[j as usize], true) {
                rows.push(j);
            }
        }
    }
    rows.truncate(count);
    rows
}

/// A patch on its way to a matrix.
struct Seen<'a> {
    patch: Patch<'a>,
    method: &'a dyn Method,
    options: &'a Options,
}

impl Seen<'_> {
    fn look(self) -> Result<Look> {
        let (watch, k) = (Watch::new(None), self.options.neighbors);
        let input = self.patch.input();
        let mut graph_options = self.options.graph();
        // Where patches fall apart the whole need not.
        graph_options.components = match input {
            Input::Graph(_) => Policy::Largest,
            _ => Policy::Connect,
        };
        let arranged = Arranged::new(input, self.method, &graph_options, Kept::default(), &watch)?;
        let graph = arranged.graph(Symmetry::Union);
        let edges = graph.as_ref().map(|graph| &graph.edges);
        let edges_of_point =
            edges.map_or(0.0, |edges| edges.entries() as f64 / edges.size() as f64);
        let dimension = edges.map_or(f64::NAN, |edges| dimension(edges, k));
        let n = arranged.rows.len();
        let is_dense = self.method.memory(n, k) >= memory::dense(n);
        let mut found = Look {
            edges: edges_of_point,
            dimension,
            matrix: None,
            costs: Vec::new(),
            points: None,
        };
        if !is_dense {
            let build = |progress: &Progress<'_>| self.method.problem(arranged.data()?, progress);
            let problem = watch.stage(Stage::Matrix, build)?;
            if let Matrix::Sparse(matrix) = &problem.matrix {
                found.matrix = Some((matrix.entries() as f64 / n as f64, Levels::of(&problem)));
                if problem.bound.is_some() {
                    found.costs.push((n as f64, factor_cost(matrix)));
                }
            }
        }
        drop(graph);
        drop(arranged);
        found.points = match self.patch {
            Patch::Points(points) => Some(points),
            Patch::Given(Input::Points(points)) => Some(points.clone()),
            _ => None,
        };
        Ok(found)
    }
}

/// The dimension of points by how the distances of their nearest neighbours grow. E. Levina and P. Bickel, "Maximum likelihood
/// estimation of intrinsic dimension", NIPS 17 (2004); the inverses are averaged.
fn dimension(edges: &SparseMatrix, neighbors: usize) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for i in 0..edges.size() {
        let mut lengths: Vec<f64> =
            edges.values(i).iter().copied().filter(|length| *length > 0.0).collect();
        lengths.sort_unstable_by(f64::total_cmp);
        lengths.truncate(neighbors);
        if let [nearer @ .., farthest] = lengths.as_slice()
            && nearer.len() > 1
        {
            let mean = nearer.iter().map(|length| (farthest / length).ln()).sum::<f64>();
            sum += mean / (nearer.len() - 1) as f64;
            count += 1;
        }
    }
    (sum / f64::from(count)).recip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::Cube;
    use crate::{LaplacianEigenmaps, Ltsa};

    fn cube(n: usize, dimension: usize) -> Points {
        Cube { n, sides: vec![1.0; dimension], ..Default::default() }.generate(1).unwrap().points
    }

    fn real(points: &Points, method: &dyn Method) -> (f64, f64, Cost) {
        let options = Options::default();
        let seen = Seen { patch: Patch::Given(points.into()), method, options: &options };
        let look = seen.look().unwrap();
        (look.edges, look.entries(), look.cost(points.rows()).unwrap())
    }

    #[test]
    fn the_factor_of_all_points_is_foreseen() {
        let methods: [&dyn Method; 2] = [&LaplacianEigenmaps::default(), &Ltsa::default()];
        for (dimension, n) in [(2, 40_000), (3, 30_000)] {
            let points = cube(n, dimension);
            for method in methods {
                let seen = look((&points).into(), method, &Options::default()).unwrap();
                let foreseen = seen.cost(n).unwrap();
                let (edges, entries, cost) = real(&points, method);
                println!(
                    "{} {dimension}-D: dimension {:.2}, edges {:.1} {edges:.1}, entries {:.1} {entries:.1}, fill {:.0} {:.0}, \
                     flops {:.1e} {:.1e}, held {:.2e} {:.2e}, structure {:.0} {:.0}",
                    method.name(),
                    seen.dimension,
                    seen.edges,
                    seen.entries(),
                    foreseen.entries / n as f64,
                    cost.entries / n as f64,
                    foreseen.flops,
                    cost.flops,
                    foreseen.held,
                    cost.held,
                    foreseen.structure / n as f64,
                    cost.structure / n as f64,
                );
                let near = |a: f64, b: f64, share: f64| (a / b - 1.0).abs() < share;
                assert!((seen.dimension - dimension as f64).abs() < 0.4);
                assert!(near(seen.edges, edges, 0.1) && near(seen.entries(), entries, 0.15));
                assert!(near(foreseen.entries, cost.entries, 0.3));
            }
        }
    }
}
