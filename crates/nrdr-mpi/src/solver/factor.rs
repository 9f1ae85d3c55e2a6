//! Shift-invert with a factor of MUMPS, by the core's block Lanczos iteration.

use std::sync::Arc;

use faer::MatMut;
use nrdr::eigen::{Factor as Solves, ShiftInvert};
use nrdr::{Problem, Progress, Result, Solver, free_memory};
use nrdr_slepc_sys::{Cost, Error as Fault, Factor, World};

use super::{Cluster, everywhere, finished, refused};

/// The shift added to M, relative to the largest entry of its diagonal,
const SHIFT: f64 = 1e-10;
/// and how far it is raised where rounding has made the matrix indefinite.
const LARGEST_SHIFT: f64 = 1e-6;
/// Entries of a factor for each rank: with more it takes longer than anything else.
const MOST_ENTRIES: f64 = 2.0e9;
/// Bytes of the pattern of a matrix, for an entry of it, on the rank that orders it.
const ORDERING: f64 = 24.0;
/// MUMPS is told to take so much more than it foresees.
const SPACE: f64 = 1.3;
/// Right sides that are solved for at once.
const TOGETHER: usize = 16;

/// A factor that is spread over all ranks.
struct Spread {
    world: Arc<World>,
    factor: Factor,
}

impl Solves for Spread {
    fn solve(&self, mut block: MatMut<'_, f64>) {
        let (rows, width) = (block.nrows(), block.ncols());
        for start in (0..width).step_by(TOGETHER) {
            let some = TOGETHER.min(width - start);
            let mut columns = Vec::with_capacity(rows * some);
            for column in block.as_ref().subcols(start, some).col_iter() {
                columns.extend(column.iter());
            }
            if let Err(fault) = self.factor.solve(&mut columns, some) {
                // What is solved for goes into sums of all ranks: there is no going on without.
                self.world.abort(&fault.to_string());
            }
            let mut block = block.as_mut().subcols_mut(start, some);
            for (at, column) in block.as_mut().col_iter_mut().enumerate() {
                let solved = &columns[at * rows..(at + 1) * rows];
                column.iter_mut().zip(solved).for_each(|(to, from)| *to = *from);
            }
        }
    }
}

/// Factorises, unless the factor would be too large.
pub(super) fn prepare(
    cluster: &Cluster,
    problem: &Arc<Problem>,
    progress: &Progress<'_>,
) -> Result<Box<dyn Solver>> {
    let definite = cluster.definite(problem)?;
    let world = &cluster.world;
    let mut entries = [definite.columns.len() as f64];
    world.sum(&mut entries);
    let allowed = allowed(world, progress);
    if !everywhere(world, world.rank() > 0 || ORDERING * entries[0] <= allowed) {
        return Err(too_large("ordering its unknowns", ORDERING * entries[0]));
    }
    let (norm, largest) = (definite.norm, definite.diagonal);
    let mut shift = SHIFT * largest;
    let mut matrix = definite.shifted(cluster, shift)?;
    drop(definite);
    finished(world, matrix.promise_definite())?;
    let mut factor = finished(world, Factor::plan(&matrix))?;
    let cost = finished(world, factor.cost())?;
    check(world, cost, allowed)?;
    progress.check_all()?;
    loop {
        match factor.factorize(&matrix) {
            Ok(()) => break,
            // Rounding has made the matrix indefinite: a larger shift costs only iterations.
            Err(Fault::NotPositive) if shift < LARGEST_SHIFT * largest => {
                finished(world, matrix.shift(99.0 * shift))?;
                shift *= 100.0;
            }
            Err(Fault::NotPositive) => {
                let bound = problem.bound.unwrap_or(0.0);
                return Err(refused(format!("the matrix has eigenvalues beyond {bound}")));
            }
            Err(fault) => return finished(world, Err(fault)),
        }
    }
    let factor = Spread { world: world.clone(), factor };
    Ok(Box::new(ShiftInvert::of_factor(problem, factor, shift, norm)))
}

/// Bytes that this rank may take: of what its host has, a share.
fn allowed(world: &World, progress: &Progress<'_>) -> f64 {
    let free = free_memory().map_or(f64::INFINITY, |bytes| bytes as f64);
    let told = progress.memory_left().map_or(f64::INFINITY, |bytes| bytes as f64);
    told.min(free / world.ranks_here() as f64)
}

fn check(world: &World, cost: Cost, allowed: f64) -> Result<()> {
    if cost.entries > MOST_ENTRIES * world.size() as f64 {
        return Err(too_large("its factor", 8.0 * cost.entries));
    }
    if !everywhere(world, SPACE * cost.here <= allowed) {
        return Err(too_large("its factor", SPACE * cost.all));
    }
    Ok(())
}

fn too_large(what: &str, bytes: f64) -> nrdr::Error {
    let size = 1e-9 * bytes;
    refused(format!(
        "{what} would take {size:.1} GB on all ranks together, more than there is: take more hosts, fewer points or fewer \
         neighbours, or another method (lem and dfm need no factor)"
    ))
}
