//! An engine of one's own: all eigenvectors at once, by faer.
//!
//! cargo run --release -p nrdr --example engine

use std::sync::Arc;

use faer::{Mat, Side};
use nrdr::eigen::{Pair, Request, quotient_and_residual};
use nrdr::{
    End, Engine, Error, Ltsa, Options, Prepared, Problem, Progress, Result, Solver, SolverOptions,
    Strategy, datasets::SwissRoll,
};

struct Whole;

impl Engine for Whole {
    fn prepare(
        &self,
        problem: &Arc<Problem>,
        _: &SolverOptions,
        _: &Progress<'_>,
    ) -> Result<Box<dyn Solver>> {
        Ok(Box::new(WholeOf(problem.clone())))
    }
}

struct WholeOf(Arc<Problem>);

impl Solver for WholeOf {
    fn name(&self) -> &'static str {
        "whole"
    }

    fn solve(&self, request: &Request<'_>, _: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let (n, matrix, forbidden) = (self.0.size(), &self.0.matrix, request.constraint);
        let bound = matrix.norm().unwrap_or(1.0);
        let sign = if self.0.end == End::Largest { 1.0 } else { -1.0 };
        // What is wanted becomes largest, and what is forbidden smaller than all else.
        let mut whole = Mat::zeros(n, n);
        for i in 0..n {
            let mut free = vec![0.0; n];
            free[i] = sign;
            forbidden.project_vector(&mut free);
            let column = whole.col_as_slice_mut(i);
            matrix.operator().apply(&free, column);
            forbidden.project_vector(column);
            column[i] -= 2.0 * bound;
            column.iter_mut().zip(&free).for_each(|(entry, f)| *entry += 2.0 * bound * sign * f);
        }
        let failed = |_| Error::Solver { solver: self.name(), reason: "no eigenvalues".into() };
        let found = whole.self_adjoint_eigen(Side::Lower).map_err(failed)?;
        let pair = |rank: usize| {
            let vector: Vec<f64> = found.U().col(n - 1 - rank).iter().copied().collect();
            let (value, residual) = quotient_and_residual(matrix.operator(), forbidden, &vector);
            Pair {
                value,
                vector,
                residual: residual / bound,
                angle: 0.0,
                iterations: 1,
                missed: None,
            }
        };
        Ok((0..request.count).map(pair).collect())
    }
}

fn main() -> Result<()> {
    let roll = SwissRoll { n: 300, height: 10.0, ..Default::default() }.generate(1)?;
    let (method, options) = (Ltsa::default(), Options::default());
    let prepared = Prepared::new(&roll.points, &method, &options)?.with_engine(&Whole);
    let embedding = prepared.embed(&Strategy::default())?;
    for c in &embedding.coordinates {
        println!("{}: {:.6e}, residual {:.0e}", embedding.solver, c.eigenvalue, c.residual);
    }
    Ok(())
}
