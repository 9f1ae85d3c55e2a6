//! SLEPc's generalised Davidson (GD) for the lowest eigenpairs of a symmetric operator.

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::ptr::null_mut;
use std::sync::Arc;

use crate::callback::{Kept, Map, Shell, guarded, multiply, precondition};
use crate::error::{Result, check, int, too_many};
use crate::ffi::mpi::Handle;
use crate::ffi::petsc::{self, Code, Int};
use crate::ffi::slepc;
use crate::turn;
use crate::vector::Vector;
use crate::world::World;

/// What is asked of a run. Every rank gives its own rows of vectors, and the same of everything else.
pub struct Davidson<'a> {
    /// All ranks.
    pub world: &'a Arc<World>,
    /// Rows of this rank.
    pub rows: usize,
    /// Rows of all.
    pub all: usize,
    /// The operator.
    pub multiply: Map<'a>,
    /// About its inverse.
    pub precondition: Map<'a>,
    /// How far a residual is above what is allowed for its eigenvalue: at most 1 where it is converged.
    pub over: &'a dyn Fn(f64, f64) -> f64,
    /// Is told after each iteration what there is. Must answer the same on all ranks.
    pub step: &'a dyn Fn(&Looked<'_>) -> ControlFlow<()>,
    /// Orthonormal vectors that the eigenvectors must be orthogonal to.
    pub forbidden: &'a [&'a [f64]],
    /// Where the search starts; random vectors are added where there are too few.
    pub start: &'a [Vec<f64>],
    /// Eigenpairs wanted.
    pub count: usize,
    /// Vectors of the basis at most.
    pub basis: usize,
    /// Pairs that are improved at a time.
    pub block: usize,
    /// Ritz vectors that are kept at a restart,
    pub kept: usize,
    /// and those of the step before.
    pub before: usize,
    /// Iterations at most.
    pub iterations: usize,
}

/// What there is after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Looked<'a> {
    /// The number of the iteration, counted from 1.
    pub iteration: usize,
    /// How many pairs are converged.
    pub converged: usize,
    /// The Ritz values, ascending,
    pub values: &'a [f64],
    /// and how far each residual is above what is allowed.
    pub over: &'a [f64],
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// All wanted pairs are converged.
    Converged,
    /// The caller's step has ended it.
    Ended,
    /// There were as many iterations as allowed.
    Iterations,
    /// It could not go on.
    Breakdown,
}

/// What a run found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The eigenvalues that converged, ascending,
    pub values: Vec<f64>,
    /// and their vectors, own rows.
    pub vectors: Vec<Vec<f64>>,
    /// Iterations.
    pub iterations: usize,
    /// Why it ended.
    pub reason: Reason,
}

/// What SLEPc's callbacks know.
struct Context<'a> {
    task: &'a Davidson<'a>,
    kept: &'a Kept,
    ended: std::cell::Cell<bool>,
}

/// What is destroyed when a run is over, however it ends.
struct Objects {
    eps: Handle,
    matrix: Handle,
}

impl Drop for Objects {
    fn drop(&mut self) {
        // SAFETY: made by the libraries, or null, which they let pass; destroyed once, by the thread that has the turn.
        unsafe {
            slepc::EPSDestroy(&mut self.eps);
            petsc::MatDestroy(&mut self.matrix);
        }
    }
}

impl Davidson<'_> {
    /// Runs. Collective.
    pub fn solve(&self) -> Result<Found> {
        let columns = self.basis + self.forbidden.len();
        if Int::try_from(self.all.saturating_mul(columns)).is_err() {
            // The basis is one vector to SLEPc.
            return Err(too_many("entries of the basis", self.all as u64 * columns as u64));
        }
        let _turn = turn::take();
        let kept = Kept::default();
        let product = Shell { map: self.multiply, rows: self.rows, kept: &kept };
        let inverse = Shell { map: self.precondition, rows: self.rows, kept: &kept };
        let context = Context { task: self, kept: &kept, ended: false.into() };
        let mut objects = Objects { eps: null_mut(), matrix: null_mut() };
        let found = self.run(&mut objects, &product, &inverse, &context);
        if let Some(panic) = kept.take() {
            resume_unwind(panic);
        }
        found
    }

    fn run(
        &self,
        objects: &mut Objects,
        product: &Shell<'_>,
        inverse: &Shell<'_>,
        context: &Context<'_>,
    ) -> Result<Found> {
        let forbidden = self.vectors(self.forbidden.iter().copied())?;
        let start = self.vectors(self.start.iter().map(Vec::as_slice))?;
        let context = (&raw const *context).cast_mut().cast::<c_void>();
        let pointer = |shell: &Shell<'_>| (&raw const *shell).cast_mut().cast::<c_void>();
        let (rows, all) = (int("rows", self.rows)?, int("points", self.all)?);
        let comm = self.world.comm();
        // SAFETY: handles come from the calls before; the shells and the context outlive the objects that call them, as
        // the objects are destroyed by the caller of this; vectors live until the end of this function, and SLEPc copies
        // them while it is set up; functions have the types that are declared for them.
        unsafe {
            let matrix = &mut objects.matrix;
            check(
                "MatCreateShell",
                petsc::MatCreateShell(comm, rows, rows, all, all, pointer(product), matrix),
            )?;
            let matrix = *matrix;
            let operation = std::mem::transmute::<petsc::Product, unsafe extern "C" fn()>(multiply);
            check(
                "MatShellSetOperation",
                petsc::MatShellSetOperation(matrix, petsc::MATOP_MULT, Some(operation)),
            )?;
            check("MatSetOption", petsc::MatSetOption(matrix, petsc::MAT_SYMMETRIC, 1))?;
            check("EPSCreate", slepc::EPSCreate(comm, &mut objects.eps))?;
            let eps = objects.eps;
            check("EPSSetOptionsPrefix", slepc::EPSSetOptionsPrefix(eps, c"nrdr_".as_ptr()))?;
            check("EPSSetOperators", slepc::EPSSetOperators(eps, matrix, null_mut()))?;
            check("EPSSetProblemType", slepc::EPSSetProblemType(eps, slepc::EPS_HEP))?;
            check("EPSSetType", slepc::EPSSetType(eps, c"gd".as_ptr()))?;
            check(
                "EPSSetWhichEigenpairs",
                slepc::EPSSetWhichEigenpairs(eps, slepc::EPS_SMALLEST_REAL),
            )?;
            let (count, basis) = (int("pairs", self.count)?, int("vectors", self.basis)?);
            check("EPSSetDimensions", slepc::EPSSetDimensions(eps, count, basis, slepc::DEFAULT))?;
            let most = int("iterations", self.iterations)?;
            check("EPSSetTolerances", slepc::EPSSetTolerances(eps, 1.0, most))?;
            check(
                "EPSSetConvergenceTestFunction",
                slepc::EPSSetConvergenceTestFunction(eps, estimate, context, null_mut()),
            )?;
            check(
                "EPSSetStoppingTestFunction",
                slepc::EPSSetStoppingTestFunction(eps, stopping, context, null_mut()),
            )?;
            check("EPSMonitorSet", slepc::EPSMonitorSet(eps, monitor, context, null_mut()))?;
            check("EPSGDSetBlockSize", slepc::EPSGDSetBlockSize(eps, int("pairs", self.block)?))?;
            let (keep, before) = (int("vectors", self.kept)?, int("vectors", self.before)?);
            check("EPSGDSetRestart", slepc::EPSGDSetRestart(eps, keep, before))?;
            let (mut st, mut ksp, mut pc) = (null_mut(), null_mut(), null_mut());
            check("EPSGetST", slepc::EPSGetST(eps, &mut st))?;
            check("STSetType", slepc::STSetType(st, c"precond".as_ptr()))?;
            check("STGetKSP", slepc::STGetKSP(st, &mut ksp))?;
            check("KSPSetType", slepc::KSPSetType(ksp, c"preonly".as_ptr()))?;
            check("KSPGetPC", slepc::KSPGetPC(ksp, &mut pc))?;
            check("PCSetType", petsc::PCSetType(pc, c"shell".as_ptr()))?;
            check("PCShellSetContext", petsc::PCShellSetContext(pc, pointer(inverse)))?;
            check("PCShellSetApply", petsc::PCShellSetApply(pc, precondition))?;
            if !start.is_empty() {
                let number = int("vectors", start.len())?;
                check("EPSGDSetInitialSize", slepc::EPSGDSetInitialSize(eps, number))?;
                let mut handles: Vec<Handle> = start.iter().map(Vector::handle).collect();
                let code = slepc::EPSSetInitialSpace(eps, number, handles.as_mut_ptr());
                check("EPSSetInitialSpace", code)?;
            }
            if !forbidden.is_empty() {
                let number = int("vectors", forbidden.len())?;
                let mut handles: Vec<Handle> = forbidden.iter().map(Vector::handle).collect();
                let code = slepc::EPSSetDeflationSpace(eps, number, handles.as_mut_ptr());
                check("EPSSetDeflationSpace", code)?;
            }
            check("EPSSetFromOptions", slepc::EPSSetFromOptions(eps))?;
            check("EPSSolve", slepc::EPSSolve(eps))?;
            self.found(eps, &*context.cast::<Context<'_>>())
        }
    }

    fn vectors<'v>(&self, of: impl Iterator<Item = &'v [f64]>) -> Result<Vec<Vector<'static>>> {
        of.map(|vector| Vector::owning(self.world, vector, self.all)).collect()
    }

    /// # Safety
    /// The handle is that of an EPS that has been solved.
    unsafe fn found(&self, eps: Handle, context: &Context<'_>) -> Result<Found> {
        let (mut converged, mut iterations, mut reason) = (0, 0, 0);
        let vector = Vector::new(self.world, self.rows, self.all)?;
        let (mut values, mut vectors) = (Vec::new(), Vec::new());
        // SAFETY: as the caller promises; numbers are written to variables of their types, and the vector is of the size
        // of the operator.
        unsafe {
            check("EPSGetConverged", slepc::EPSGetConverged(eps, &mut converged))?;
            check("EPSGetIterationNumber", slepc::EPSGetIterationNumber(eps, &mut iterations))?;
            check("EPSGetConvergedReason", slepc::EPSGetConvergedReason(eps, &mut reason))?;
            for number in 0..converged {
                let (mut value, to) = (0.0, vector.handle());
                let nothing = null_mut();
                check(
                    "EPSGetEigenpair",
                    slepc::EPSGetEigenpair(eps, number, &mut value, null_mut(), to, nothing),
                )?;
                values.push(value);
                vectors.push(vector.to_vec(self.rows)?);
            }
        }
        let reason = match reason {
            _ if context.ended.get() => Reason::Ended,
            1.. => Reason::Converged,
            -1 => Reason::Iterations,
            _ => Reason::Breakdown,
        };
        Ok(Found { values, vectors, iterations: iterations as usize, reason })
    }
}

unsafe extern "C" fn estimate(
    _: Handle,
    value: f64,
    _: f64,
    residual: f64,
    error: *mut f64,
    context: *mut c_void,
) -> Code {
    // SAFETY: SLEPc hands over the context that it was given, which outlives the run, and a number to be written.
    unsafe {
        let context = &*context.cast::<Context<'_>>();
        guarded(context.kept, || {
            *error = (context.task.over)(value, residual);
            Ok(())
        })
    }
}

unsafe extern "C" fn monitor(
    _: Handle,
    iteration: Int,
    converged: Int,
    values: *mut f64,
    _: *mut f64,
    errors: *mut f64,
    number: Int,
    context: *mut c_void,
) -> Code {
    // SAFETY: as above, with two lists of `number` entries each.
    unsafe {
        let context = &*context.cast::<Context<'_>>();
        guarded(context.kept, || {
            let number = usize::try_from(number).unwrap_or(0);
            let list = |start: *mut f64| {
                if number == 0 || start.is_null() {
                    return &[][..];
                }
                std::slice::from_raw_parts(start, number)
            };
            let looked = Looked {
                iteration: iteration as usize,
                converged: converged as usize,
                values: list(values),
                over: list(errors),
            };
            if (context.task.step)(&looked).is_break() {
                context.ended.set(true);
            }
            Ok(())
        })
    }
}

unsafe extern "C" fn stopping(
    eps: Handle,
    iterations: Int,
    most: Int,
    converged: Int,
    wanted: Int,
    reason: *mut c_int,
    context: *mut c_void,
) -> Code {
    // SAFETY: as above; SLEPc's own test takes what this one was given.
    unsafe {
        let known = &*context.cast::<Context<'_>>();
        if known.ended.get() {
            *reason = slepc::ENDED;
            return 0;
        }
        let nothing = null_mut();
        slepc::EPSStoppingBasic(eps, iterations, most, converged, wanted, reason, nothing)
    }
}
