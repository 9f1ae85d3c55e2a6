//! A problem that every rank has whole, spread over the ranks; and what they find, put together.

use std::sync::Arc;

use nrdr::eigen::{Builtin, Pair, Request};
use nrdr::shared::Shared;
use nrdr::team::{Team, current, join};
use nrdr::{
    Constraint, Engine, Matrix, Options, Problem, Progress, Result, SolverKind, SolverOptions,
    Stage, Watch,
};
use nrdr_mpi::csr::{Product, SharedCsr};
use nrdr_mpi::shared::Rows;
use nrdr_mpi::solver::Cluster;
use nrdr_mpi::world::Member;
use nrdr_slepc_sys::World;

/// How rows are spread.
#[derive(Clone, Copy, PartialEq)]
pub enum Spread {
    /// As evenly as can be.
    Even,
    /// The first and the third of every four ranks have none.
    Gaps,
}

/// This rank with its rows of a problem.
pub struct Part {
    pub world: Arc<World>,
    pub whole: Arc<Problem>,
    pub matrix: Arc<SharedCsr>,
    pub problem: Arc<Problem>,
}

pub fn watched<T>(work: impl FnOnce(&Progress<'_>) -> Result<T>) -> Result<T> {
    Watch::new(None).stage(Stage::Coordinates, work)
}

pub fn options(kind: SolverKind) -> SolverOptions {
    SolverOptions { kind, ..Default::default() }
}

/// Starts the world and makes its ranks a team.
pub fn as_team(world: Arc<World>, work: impl FnOnce(&Arc<World>)) {
    join(Some(Arc::new(Member(world.clone()))), || work(&world));
}

impl Part {
    pub fn new(world: &Arc<World>, whole: Problem, spread: Spread) -> Self {
        let (n, size, rank) = (whole.size(), world.size(), world.rank());
        let end = |part: usize| match spread {
            Spread::Even => n * part / size,
            Spread::Gaps => n * (part / 2) / (size / 2).max(1),
        };
        let mut starts: Vec<u64> = (0..=size).map(|part| end(part) as u64).collect();
        starts[size] = n as u64;
        let rows = Rows { starts };
        let own = rows.of(rank);
        let own = own.start as usize..own.end as usize;
        let Matrix::Sparse(matrix) = &whole.matrix else { panic!("a sparse matrix") };
        let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for i in own.clone() {
            let mut row: Vec<(usize, f64)> = matrix.row(i).collect();
            if row.iter().all(|entry| entry.0 != i) {
                row.push((i, 0.0));
            }
            row.sort_by_key(|entry| entry.0);
            columns.extend(row.iter().map(|entry| entry.0 as u64));
            values.extend(row.iter().map(|entry| entry.1));
            offsets.push(columns.len());
        }
        let cut = |list: &Vec<f64>| list[own.clone()].to_vec();
        let matrix = Arc::new(SharedCsr { rows, offsets, columns, values });
        let product = Product::new(current().unwrap(), matrix.clone());
        let problem = Arc::new(Problem {
            matrix: Matrix::Operator(Arc::new(product)),
            scale: whole.scale.as_ref().map(cut),
            trivial: whole.trivial.as_ref().map(cut),
            near_null: whole.near_null.iter().map(cut).collect(),
            ..whole.clone()
        });
        Part { world: world.clone(), whole: Arc::new(whole), matrix, problem }
    }

    fn own(&self) -> std::ops::Range<usize> {
        let own = self.matrix.rows.of(self.world.rank());
        own.start as usize..own.end as usize
    }

    /// Directions that every rank has whole as a constraint of the own rows, after the trivial one.
    fn constraint(&self, directions: &[Vec<f64>]) -> [Constraint; 2] {
        let all = || self.whole.trivial.iter().chain(directions);
        let mut whole = Constraint::none(self.whole.size());
        join(None, || whole.forbid(all().map(Vec::as_slice)));
        let mut own = Constraint::none(self.own().len());
        own.forbid(all().map(|direction| &direction[self.own()]));
        assert_eq!(whole.rank(), own.rank());
        [own, whole]
    }

    /// What the engine finds.
    pub fn solve(
        &self,
        kind: SolverKind,
        directions: &[Vec<f64>],
        count: usize,
    ) -> Result<Vec<Pair>> {
        let [constraint, _] = self.constraint(directions);
        let engine = Cluster::new(&self.world, &self.matrix);
        watched(|progress| {
            let solver = engine.prepare(&self.problem, &options(kind), progress)?;
            solver.solve(&request(&constraint, count), progress)
        })
    }

    /// The coordinates that a strategy finds by the engine, whole; and those that the core finds alone.
    pub fn embed(&self, options: &Options) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let engine = Cluster::new(&self.world, &self.matrix);
        let coordinates =
            |shared: &Shared<'_>| shared.embed(&options.strategy).unwrap().coordinates;
        let found = coordinates(&Shared::new(&self.problem, "test", options, &engine).unwrap());
        let wanted = join(None, || {
            coordinates(&Shared::new(&self.whole, "test", options, &Builtin).unwrap())
        });
        let found = found.iter().map(|coordinate| self.gathered(&coordinate.values)).collect();
        (found, wanted.into_iter().map(|coordinate| coordinate.values).collect())
    }

    /// Why the engine refuses to embed.
    pub fn refusal(&self, options: &Options) -> String {
        let engine = Cluster::new(&self.world, &self.matrix);
        let shared = Shared::new(&self.problem, "test", options, &engine).unwrap();
        shared.original(1).map(|_| ()).unwrap_err().to_string()
    }

    /// What the core finds alone.
    pub fn oracle(&self, kind: SolverKind, directions: &[Vec<f64>], count: usize) -> Vec<f64> {
        let [_, constraint] = self.constraint(directions);
        let found = join(None, || {
            watched(|progress| {
                let solver = Builtin.prepare(&self.whole, &options(kind), progress)?;
                solver.solve(&request(&constraint, count), progress)
            })
        });
        found.unwrap().iter().map(|pair| pair.value).collect()
    }

    /// Finds pairs and checks all that can be known of them: values, residuals by the whole matrix, angles between them.
    pub fn check(
        &self,
        name: &str,
        kind: SolverKind,
        directions: &[Vec<f64>],
        wanted: &[f64],
        within: f64,
    ) {
        let found = self.solve(kind, directions, wanted.len()).unwrap_or_else(|error| {
            panic!("{name} by {kind:?}: {error}");
        });
        assert_eq!(found.len(), wanted.len(), "{name} by {kind:?}");
        let [_, constraint] = self.constraint(directions);
        let norm = self.whole.matrix.norm().unwrap();
        let vectors: Vec<Vec<f64>> = found.iter().map(|pair| self.gathered(&pair.vector)).collect();
        for (at, (pair, wanted)) in found.iter().zip(wanted).enumerate() {
            let error = (pair.value - wanted).abs() / norm;
            assert!(
                error < within,
                "{name} by {kind:?}: value {at} is {}, not {wanted}",
                pair.value
            );
            let (_, residual) = join(None, || {
                let operator = self.whole.matrix.operator();
                nrdr::eigen::quotient_and_residual(operator, &constraint, &vectors[at])
            });
            assert!(residual / norm < 1e-7, "{name} by {kind:?}: residual {residual:e}");
            assert!(
                (residual / norm - pair.residual).abs() < 1e-12 + 1e-3 * pair.residual,
                "{name} by {kind:?}: residual {} was told as {}",
                residual / norm,
                pair.residual
            );
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            for (other, vector) in vectors[..=at].iter().enumerate() {
                let wanted = if other == at { 1.0 } else { 0.0 };
                let product = dot(vector, &vectors[at]);
                assert!(
                    (product - wanted).abs() < 1e-6,
                    "{name} by {kind:?}: {other}'{at} = {product}"
                );
            }
            for i in 0..constraint.rank() {
                let product = dot(constraint.direction(i), &vectors[at]);
                assert!(
                    product.abs() < 1e-9,
                    "{name} by {kind:?}: {product:e} along direction {i}"
                );
            }
        }
        if self.world.rank() == 0 {
            let iterations = found.first().map_or(0, |pair| pair.iterations);
            println!("{name} by {kind:?}: {} pairs, {iterations} iterations", found.len());
        }
    }

    /// A vector of which every rank has its rows, whole.
    fn gathered(&self, own: &[f64]) -> Vec<f64> {
        let bytes = own.iter().flat_map(|v| v.to_le_bytes()).collect();
        let all = Member(self.world.clone()).gather(bytes).concat();
        all.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
    }
}

fn request(constraint: &Constraint, count: usize) -> Request<'_> {
    Request { constraint, count, tolerance: 1e-8, max_iterations: 5000, seed: 1 }
}
