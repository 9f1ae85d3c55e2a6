//! `petscsys.h`, `petscvec.h`, `petscmat.h` and `petscpc.h`.

use std::ffi::{c_char, c_int, c_void};

use super::mpi::Handle;

/// PetscInt.
#[cfg(not(petsc_int64))]
pub(crate) type Int = i32;
/// PetscInt of a PETSc with 64-bit indices.
#[cfg(petsc_int64)]
pub(crate) type Int = i64;

/// PetscErrorCode.
pub(crate) type Code = c_int;

/// PETSC_ERR_LIB: what a callback returns when it failed.
pub(crate) const FAILED: Code = 76;
/// PETSC_ERROR_INITIAL: where an error was found, not where it passed by.
pub(crate) const INITIAL: c_int = 0;

/// PETSC_DECIDE
pub(crate) const DECIDE: Int = -1;
pub(crate) const MAT_SYMMETRIC: c_int = 1;
pub(crate) const MAT_SPD: c_int = 15;
pub(crate) const MAT_FACTOR_CHOLESKY: c_int = 2;
pub(crate) const MATOP_MULT: c_int = 3;

/// MatFactorInfo.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct FactorInfo(pub(crate) [f64; 11]);

/// The error handler of PETSc.
pub(crate) type Handler = unsafe extern "C" fn(
    Handle,
    c_int,
    *const c_char,
    *const c_char,
    Code,
    c_int,
    *const c_char,
    *mut c_void,
) -> Code;

/// A product with a shell matrix, and the application of a shell preconditioner.
pub(crate) type Product = unsafe extern "C" fn(Handle, Handle, Handle) -> Code;

unsafe extern "C" {
    pub(crate) static petsc_isend_len: f64;
    pub(crate) static petsc_send_len: f64;

    pub(crate) fn PetscOptionsSetValue(
        options: Handle,
        name: *const c_char,
        value: *const c_char,
    ) -> Code;
    pub(crate) fn PetscPushErrorHandler(handler: Handler, context: *mut c_void) -> Code;
    pub(crate) fn PetscGetVersionNumber(
        major: *mut Int,
        minor: *mut Int,
        patch: *mut Int,
        release: *mut Int,
    ) -> Code;

    pub(crate) fn VecCreateMPI(comm: Handle, rows: Int, all: Int, vec: *mut Handle) -> Code;
    pub(crate) fn VecCreateMPIWithArray(
        comm: Handle,
        block: Int,
        rows: Int,
        all: Int,
        array: *const f64,
        vec: *mut Handle,
    ) -> Code;
    pub(crate) fn VecDestroy(vec: *mut Handle) -> Code;
    pub(crate) fn VecGetArray(vec: Handle, array: *mut *mut f64) -> Code;
    pub(crate) fn VecRestoreArray(vec: Handle, array: *mut *mut f64) -> Code;
    pub(crate) fn VecGetArrayRead(vec: Handle, array: *mut *const f64) -> Code;
    pub(crate) fn VecRestoreArrayRead(vec: Handle, array: *mut *const f64) -> Code;

    pub(crate) fn MatCreateMPIAIJWithArrays(
        comm: Handle,
        rows: Int,
        columns: Int,
        all_rows: Int,
        all_columns: Int,
        offsets: *const Int,
        indices: *const Int,
        values: *const f64,
        mat: *mut Handle,
    ) -> Code;
    pub(crate) fn MatCreateShell(
        comm: Handle,
        rows: Int,
        columns: Int,
        all_rows: Int,
        all_columns: Int,
        context: *mut c_void,
        mat: *mut Handle,
    ) -> Code;
    pub(crate) fn MatShellSetOperation(
        mat: Handle,
        op: c_int,
        f: Option<unsafe extern "C" fn()>,
    ) -> Code;
    pub(crate) fn MatShellGetContext(mat: Handle, context: *mut *mut c_void) -> Code;
    pub(crate) fn MatCreateDense(
        comm: Handle,
        rows: Int,
        columns: Int,
        all_rows: Int,
        all_columns: Int,
        values: *mut f64,
        mat: *mut Handle,
    ) -> Code;
    pub(crate) fn MatDestroy(mat: *mut Handle) -> Code;
    pub(crate) fn MatSetOption(mat: Handle, option: c_int, value: c_int) -> Code;
    pub(crate) fn MatShift(mat: Handle, shift: f64) -> Code;
    pub(crate) fn MatMult(mat: Handle, x: Handle, y: Handle) -> Code;
    pub(crate) fn MatSetNearNullSpace(mat: Handle, space: Handle) -> Code;
    pub(crate) fn MatNullSpaceCreate(
        comm: Handle,
        constant: c_int,
        count: Int,
        vectors: *const Handle,
        space: *mut Handle,
    ) -> Code;
    pub(crate) fn MatNullSpaceDestroy(space: *mut Handle) -> Code;

    pub(crate) fn MatGetFactor(
        mat: Handle,
        by: *const c_char,
        kind: c_int,
        factor: *mut Handle,
    ) -> Code;
    pub(crate) fn MatFactorInfoInitialize(info: *mut FactorInfo) -> Code;
    pub(crate) fn MatCholeskyFactorSymbolic(
        factor: Handle,
        mat: Handle,
        order: Handle,
        info: *const FactorInfo,
    ) -> Code;
    pub(crate) fn MatCholeskyFactorNumeric(
        factor: Handle,
        mat: Handle,
        info: *const FactorInfo,
    ) -> Code;
    pub(crate) fn MatFactorClearError(factor: Handle) -> Code;
    pub(crate) fn MatMatSolve(factor: Handle, right: Handle, solution: Handle) -> Code;
    pub(crate) fn MatMumpsSetIcntl(factor: Handle, number: Int, value: Int) -> Code;
    pub(crate) fn MatMumpsGetInfo(factor: Handle, number: Int, value: *mut Int) -> Code;
    pub(crate) fn MatMumpsGetInfog(factor: Handle, number: Int, value: *mut Int) -> Code;
    pub(crate) fn MatMumpsGetRinfog(factor: Handle, number: Int, value: *mut f64) -> Code;

    pub(crate) fn PCCreate(comm: Handle, pc: *mut Handle) -> Code;
    pub(crate) fn PCSetType(pc: Handle, kind: *const c_char) -> Code;
    pub(crate) fn PCSetOptionsPrefix(pc: Handle, prefix: *const c_char) -> Code;
    pub(crate) fn PCSetFromOptions(pc: Handle) -> Code;
    pub(crate) fn PCSetOperators(pc: Handle, mat: Handle, near: Handle) -> Code;
    pub(crate) fn PCSetUp(pc: Handle) -> Code;
    pub(crate) fn PCApply(pc: Handle, x: Handle, y: Handle) -> Code;
    pub(crate) fn PCDestroy(pc: *mut Handle) -> Code;
    pub(crate) fn PCMGGetLevels(pc: Handle, levels: *mut Int) -> Code;
    pub(crate) fn PCMGGetGridComplexity(pc: Handle, unknowns: *mut f64, entries: *mut f64) -> Code;
    pub(crate) fn PCShellSetContext(pc: Handle, context: *mut c_void) -> Code;
    pub(crate) fn PCShellGetContext(pc: Handle, context: *mut *mut c_void) -> Code;
    pub(crate) fn PCShellSetApply(pc: Handle, apply: Product) -> Code;
}
