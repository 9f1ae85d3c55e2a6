//! Few points: every rank has the whole matrix, and finds all eigenvalues.

use std::sync::Arc;

use nrdr::eigen::{Builtin, Pair, Request};
use nrdr::team::{Team, join};
use nrdr::{
    Constraint, Engine, Matrix, Problem, Progress, Result, Solver, SolverKind, SolverOptions,
    SparseMatrix,
};

use super::Cluster;
use crate::shared::Rows;
use crate::world::Member;

/// The core's dense solver, for the whole problem at each rank.
pub(super) struct Gathered {
    member: Member,
    rows: Rows,
    solver: Box<dyn Solver>,
}

impl Gathered {
    pub(super) fn prepare(
        cluster: &Cluster,
        problem: &Arc<Problem>,
        progress: &Progress<'_>,
    ) -> Result<Box<dyn Solver>> {
        let member = Member(cluster.world.clone());
        let matrix = &cluster.matrix;
        let own = matrix.rows.of(member.rank());
        let mut entries: Vec<u8> = Vec::new();
        for (row, ends) in own.zip(matrix.offsets.windows(2)) {
            for at in ends[0]..ends[1] {
                entries.extend_from_slice(&row.to_le_bytes());
                entries.extend_from_slice(&matrix.columns[at].to_le_bytes());
                entries.extend_from_slice(&matrix.values[at].to_le_bytes());
            }
        }
        let mut all = Vec::new();
        for part in member.gather(entries) {
            for [row, column, value] in part.as_chunks::<24>().0.iter().map(three) {
                all.push((row as usize, column as usize, f64::from_bits(value)));
            }
        }
        let size = matrix.rows.total() as usize;
        let whole = Problem {
            matrix: Matrix::from(SparseMatrix::new(size, &all)?),
            scale: None,
            trivial: None,
            near_null: Vec::new(),
            ..problem.as_ref().clone()
        };
        let options = SolverOptions { kind: SolverKind::Dense, ..Default::default() };
        let solver = join(None, || Builtin.prepare(&Arc::new(whole), &options, progress))?;
        Ok(Box::new(Gathered { member, rows: matrix.rows.clone(), solver }))
    }
}

/// Three numbers of eight bytes each.
fn three(bytes: &[u8; 24]) -> [u64; 3] {
    let mut numbers = [0; 3];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    numbers
}

impl Solver for Gathered {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let Request { constraint, .. } = *request;
        let directions = (0..constraint.rank()).map(|i| constraint.direction(i));
        let mine = directions.flatten().flat_map(|v| v.to_le_bytes()).collect();
        let parts = self.member.gather(mine);
        let mut basis = vec![Vec::new(); constraint.rank()];
        for (rank, part) in parts.iter().enumerate() {
            let rows = self.rows.of(rank);
            let rows = (rows.end - rows.start) as usize;
            let numbers = part.as_chunks().0;
            for (i, direction) in basis.iter_mut().enumerate() {
                let own = &numbers[i * rows..(i + 1) * rows];
                direction.extend(own.iter().map(|bytes| f64::from_le_bytes(*bytes)));
            }
        }
        let own = self.rows.of(self.member.rank());
        let found = join(None, || {
            let mut whole = Constraint::none(self.rows.total() as usize);
            whole.forbid(basis.iter().map(Vec::as_slice));
            self.solver.solve(&Request { constraint: &whole, ..*request }, progress)
        });
        let own = own.start as usize..own.end as usize;
        let share = |pair: Pair| Pair { vector: pair.vector[own.clone()].to_vec(), ..pair };
        Ok(found?.into_iter().map(share).collect())
    }
}
