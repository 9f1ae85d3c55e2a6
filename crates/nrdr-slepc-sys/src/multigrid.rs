//! PETSc's algebraic multigrid by smoothed aggregation (GAMG).

use std::ptr::null_mut;
use std::sync::Arc;

use crate::error::{Result, check};
use crate::ffi::mpi::Handle;
use crate::ffi::petsc;
use crate::matrix::Matrix;
use crate::turn;
use crate::vector::Vector;

/// About the inverse of a symmetric positive semi-definite matrix. PETSC_OPTIONS may change its settings, with `nrdr_` before
/// their names, or `nrdr_fine_` where aggregates are small.
pub struct Multigrid {
    handle: Handle,
    matrix: Arc<Matrix>,
}

// SAFETY: the handle is used only by the thread that has the turn.
unsafe impl Send for Multigrid {}
// SAFETY: as above.
unsafe impl Sync for Multigrid {}

impl Multigrid {
    /// Builds the levels; of small aggregates for matrices with several near-null vectors. Collective.
    pub fn new(matrix: &Arc<Matrix>, small_aggregates: bool) -> Result<Self> {
        let prefix = if small_aggregates { c"nrdr_fine_" } else { c"nrdr_" };
        let _turn = turn::take();
        let mut multigrid = Multigrid { handle: null_mut(), matrix: matrix.clone() };
        let handle = &mut multigrid.handle;
        // SAFETY: the communicator is the world's; strings end with a zero; the matrix is valid and held as long as the
        // preconditioner, which is destroyed where a later call fails.
        unsafe {
            check("PCCreate", petsc::PCCreate(matrix.world().comm(), handle))?;
            check("PCSetOptionsPrefix", petsc::PCSetOptionsPrefix(*handle, prefix.as_ptr()))?;
            check("PCSetType", petsc::PCSetType(*handle, c"gamg".as_ptr()))?;
            let of = matrix.handle();
            check("PCSetOperators", petsc::PCSetOperators(*handle, of, of))?;
            check("PCSetFromOptions", petsc::PCSetFromOptions(*handle))?;
            check("PCSetUp", petsc::PCSetUp(*handle))?;
        }
        Ok(multigrid)
    }

    /// y = about A^-1 x, own rows of both. Collective.
    pub fn apply(&self, x: &[f64], y: &mut [f64]) -> Result<()> {
        let (rows, all) = (self.matrix.rows(), self.matrix.all());
        assert!(x.len() == rows && y.len() == rows, "a vector of another size");
        let world = self.matrix.world();
        let x = Vector::reading(world, x, all)?;
        let y = Vector::looking_at(world, y, all)?;
        let _turn = turn::take();
        // SAFETY: the preconditioner is set up for vectors of this size; y is not x.
        check("PCApply", unsafe { petsc::PCApply(self.handle, x.handle(), y.handle()) })
    }

    /// How many levels there are.
    pub fn levels(&self) -> Result<usize> {
        let (_turn, mut levels) = (turn::take(), 0);
        // SAFETY: the preconditioner is one of multigrid; an integer is written.
        check("PCMGGetLevels", unsafe { petsc::PCMGGetLevels(self.handle, &mut levels) })?;
        Ok(levels as usize)
    }

    /// Unknowns of all levels beside those of the finest, and entries of their matrices. Collective.
    pub fn complexity(&self) -> Result<(f64, f64)> {
        let (_turn, mut unknowns, mut entries) = (turn::take(), 0.0, 0.0);
        // SAFETY: the preconditioner is one of multigrid; two numbers are written.
        let code =
            unsafe { petsc::PCMGGetGridComplexity(self.handle, &mut unknowns, &mut entries) };
        check("PCMGGetGridComplexity", code)?;
        Ok((unknowns, entries))
    }
}

impl Drop for Multigrid {
    fn drop(&mut self) {
        let _turn = turn::take();
        // SAFETY: made by PETSc, or null, which PETSc lets pass; destroyed once.
        unsafe { petsc::PCDestroy(&mut self.handle) };
    }
}
