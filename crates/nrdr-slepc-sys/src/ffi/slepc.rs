//! `slepceps.h` and `slepcst.h`, with the two calls of `petscksp.h` between them.

use std::ffi::{c_char, c_int, c_void};

use super::mpi::Handle;
use super::petsc::{Code, Int};

pub(crate) const EPS_HEP: c_int = 1;
pub(crate) const EPS_SMALLEST_REAL: c_int = 4;
/// PETSC_DEFAULT
pub(crate) const DEFAULT: Int = -2;
/// EPS_CONVERGED_USER
pub(crate) const ENDED: c_int = 2;

/// The error estimate of an eigenvalue from its residual.
pub(crate) type Estimate =
    unsafe extern "C" fn(Handle, f64, f64, f64, *mut f64, *mut c_void) -> Code;
/// Whether to go on: iterations, their limit, converged, wanted, why it ends.
pub(crate) type Stopping =
    unsafe extern "C" fn(Handle, Int, Int, Int, Int, *mut c_int, *mut c_void) -> Code;
/// What there is after an iteration: its number, converged, values, imaginary parts, errors, their number.
pub(crate) type Monitor =
    unsafe extern "C" fn(Handle, Int, Int, *mut f64, *mut f64, *mut f64, Int, *mut c_void) -> Code;

unsafe extern "C" {
    pub(crate) fn SlepcInitializeNoArguments() -> Code;
    pub(crate) fn SlepcFinalize() -> Code;
    pub(crate) fn EPSCreate(comm: Handle, eps: *mut Handle) -> Code;
    pub(crate) fn EPSDestroy(eps: *mut Handle) -> Code;
    pub(crate) fn EPSSetOperators(eps: Handle, a: Handle, b: Handle) -> Code;
    pub(crate) fn EPSSetProblemType(eps: Handle, kind: c_int) -> Code;
    pub(crate) fn EPSSetType(eps: Handle, kind: *const c_char) -> Code;
    pub(crate) fn EPSSetOptionsPrefix(eps: Handle, prefix: *const c_char) -> Code;
    pub(crate) fn EPSSetFromOptions(eps: Handle) -> Code;
    pub(crate) fn EPSSetWhichEigenpairs(eps: Handle, which: c_int) -> Code;
    pub(crate) fn EPSSetDimensions(eps: Handle, wanted: Int, basis: Int, projected: Int) -> Code;
    pub(crate) fn EPSSetTolerances(eps: Handle, tolerance: f64, iterations: Int) -> Code;
    pub(crate) fn EPSSetConvergenceTestFunction(
        eps: Handle,
        test: Estimate,
        context: *mut c_void,
        destroy: *mut c_void,
    ) -> Code;
    pub(crate) fn EPSSetStoppingTestFunction(
        eps: Handle,
        test: Stopping,
        context: *mut c_void,
        destroy: *mut c_void,
    ) -> Code;
    pub(crate) fn EPSStoppingBasic(
        eps: Handle,
        iterations: Int,
        most: Int,
        converged: Int,
        wanted: Int,
        reason: *mut c_int,
        context: *mut c_void,
    ) -> Code;
    pub(crate) fn EPSMonitorSet(
        eps: Handle,
        monitor: Monitor,
        context: *mut c_void,
        destroy: *mut c_void,
    ) -> Code;
    pub(crate) fn EPSSetDeflationSpace(eps: Handle, count: Int, vectors: *mut Handle) -> Code;
    pub(crate) fn EPSSetInitialSpace(eps: Handle, count: Int, vectors: *mut Handle) -> Code;
    pub(crate) fn EPSGDSetBlockSize(eps: Handle, block: Int) -> Code;
    pub(crate) fn EPSGDSetRestart(eps: Handle, kept: Int, before: Int) -> Code;
    pub(crate) fn EPSGDSetInitialSize(eps: Handle, count: Int) -> Code;
    pub(crate) fn EPSGetST(eps: Handle, st: *mut Handle) -> Code;
    pub(crate) fn STSetType(st: Handle, kind: *const c_char) -> Code;
    pub(crate) fn STGetKSP(st: Handle, ksp: *mut Handle) -> Code;
    pub(crate) fn KSPSetType(ksp: Handle, kind: *const c_char) -> Code;
    pub(crate) fn KSPGetPC(ksp: Handle, pc: *mut Handle) -> Code;
    pub(crate) fn EPSSolve(eps: Handle) -> Code;
    pub(crate) fn EPSGetConverged(eps: Handle, count: *mut Int) -> Code;
    pub(crate) fn EPSGetConvergedReason(eps: Handle, reason: *mut c_int) -> Code;
    pub(crate) fn EPSGetIterationNumber(eps: Handle, iterations: *mut Int) -> Code;
    pub(crate) fn EPSGetEigenpair(
        eps: Handle,
        number: Int,
        value: *mut f64,
        imaginary: *mut f64,
        vector: Handle,
        imaginary_vector: Handle,
    ) -> Code;
}
