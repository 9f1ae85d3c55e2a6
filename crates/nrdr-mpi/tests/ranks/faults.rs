//! What goes wrong on one rank: all of them end, and none waits for ever.

use std::ops::ControlFlow;

use nrdr::SolverKind::{Auto, Multigrid, ShiftInvert};
use nrdr::{Lle, Ltsa, Options};
use nrdr_mpi::csr::SharedCsr;
use nrdr_slepc_sys::{Davidson, World};

use super::cases::roll;
use super::distribute::{Part, Spread, as_team};
use super::graphs::{grid, path};

/// One rank panics while the others wait for it.
pub fn panic() {
    let world = World::start().unwrap();
    assert!(world.rank() != 1, "a rank that panics");
    world.barrier();
}

/// One rank gives up.
pub fn abort() {
    let world = World::start().unwrap();
    if world.rank() == 2 {
        world.abort("no more room");
    }
    world.sum(&mut [1.0]);
}

/// A product that panics within SLEPc.
pub fn callback() {
    let world = World::start().unwrap();
    let (rows, all) = (50, 50 * world.size());
    let fails = |_: &[f64], _: &mut [f64]| panic!("a product that fails");
    let task = Davidson {
        world: &world,
        rows,
        all,
        multiply: &fails,
        precondition: &|x, y| y.copy_from_slice(x),
        over: &|_, residual| residual,
        step: &|_| ControlFlow::Continue(()),
        forbidden: &[],
        start: &[],
        count: 1,
        basis: 20,
        block: 1,
        kept: 5,
        before: 0,
        iterations: 10,
    };
    let _ = task.solve();
}

/// What is wrong at one rank is an error of all.
pub fn refusals() {
    as_team(World::start().unwrap(), |world| {
        let graph = grid(25, 30, false, 1.0);
        let mut part = Part::new(world, graph.problem(), Spread::Even);
        if world.rank() == 1 {
            // A row without its diagonal.
            let mut matrix: SharedCsr = part.matrix.as_ref().clone();
            let first = matrix.rows.of(1).start;
            let at = matrix.columns.iter().position(|&column| column == first).unwrap();
            matrix.columns.remove(at);
            matrix.values.remove(at);
            matrix.offsets[1..].iter_mut().for_each(|offset| *offset -= 1);
            part.matrix = matrix.into();
        }
        for kind in [Auto, Multigrid, ShiftInvert] {
            let error = part.solve(kind, &[], 2).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains("diagonal"), "{error}");
        }
        // A bound that is none: the matrix is not definite.
        let mut problem = path(500).problem();
        problem.bound = Some(7.0);
        let part = Part::new(world, problem, Spread::Even);
        let error = part.solve(ShiftInvert, &[], 2).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("eigenvalues beyond 7"), "{error}");
        // A factor that does not fit, of a method that has no other solver.
        let part = Part::new(world, roll(1200, &Lle::default()), Spread::Even);
        let options = Options { memory: Some(1 << 20), dims: 1.into(), ..Default::default() };
        let error = part.refusal(&options);
        assert!(error.contains("GB on all ranks together"), "{error}");
    });
}

/// MUMPS may take one megabyte, which PETSC_OPTIONS says, and needs more.
pub fn starved() {
    as_team(World::start().unwrap(), |world| {
        let part = Part::new(world, roll(4000, &Lle::default()), Spread::Even);
        let error = part.solve(ShiftInvert, &[], 2).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("MUMPS failed with INFOG(1) = -"), "{error}");
        // Where there is another way it is taken.
        let part = Part::new(world, roll(4000, &Ltsa::default()), Spread::Even);
        part.check("starved ltsa", Auto, &[], &part.oracle(Auto, &[], 1), 1e-9);
    });
}
