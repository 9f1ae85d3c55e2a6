//! Sparse matrices of PETSc, each rank with its own rows.

use std::ptr::null_mut;
use std::sync::Arc;

use crate::error::{Result, check, int, too_many};
use crate::ffi::mpi::Handle;
use crate::ffi::petsc::{self, Int};
use crate::turn;
use crate::vector::Vector;
use crate::world::World;

/// The own rows of a square matrix, one after another: the entries of row i are those from `offsets[i]` to `offsets[i + 1]`,
/// with the numbers of their columns counted over all ranks.
#[derive(Clone, Copy, Debug)]
pub struct LocalRows<'a> {
    /// Where each row begins, and where the last one ends.
    pub offsets: &'a [usize],
    /// The column of each entry, ascending in a row.
    pub columns: &'a [u64],
    /// The value of each.
    pub values: &'a [f64],
    /// Rows on all ranks.
    pub all: u64,
}

impl LocalRows<'_> {
    /// Whether PETSc's integers hold what is counted here: told by each rank for itself.
    pub fn check(&self) -> Result<()> {
        Int::try_from(self.all).map_err(|_| too_many("points", self.all))?;
        int("entries of a rank's rows", self.columns.len()).map(|_| ())
    }
}

/// A symmetric matrix of PETSc (MPIAIJ), distributed by rows.
pub struct Matrix {
    handle: Handle,
    world: Arc<World>,
    rows: usize,
    all: usize,
}

// SAFETY: the handle is used only by the thread that has the turn.
unsafe impl Send for Matrix {}
// SAFETY: as above.
unsafe impl Sync for Matrix {}

impl Matrix {
    /// A copy of the rows. Both triangles must be there, and the diagonal as entries of its own. Collective.
    pub fn new(world: &Arc<World>, local: LocalRows<'_>) -> Result<Self> {
        let LocalRows { offsets, columns, values, all } = local;
        let rows = offsets.len().saturating_sub(1);
        let entries = columns.len();
        assert!(
            offsets.last().copied().unwrap_or(0) == entries && values.len() == entries,
            "rows of a matrix that do not fit each other"
        );
        assert!(
            offsets.is_sorted() && columns.iter().all(|&column| column < all),
            "entries outside a matrix"
        );
        local.check()?;
        let all_rows = all as Int;
        // Each fits, as the last does.
        let offsets: Vec<Int> =
            if rows == 0 { vec![0] } else { offsets.iter().map(|&offset| offset as Int).collect() };
        let columns: Vec<Int> = columns.iter().map(|&column| column as Int).collect();
        let (_turn, mut handle) = (turn::take(), null_mut());
        // SAFETY: the three arrays are as long as the offsets say, columns lie within the matrix, and PETSc copies them.
        let code = unsafe {
            petsc::MatCreateMPIAIJWithArrays(
                world.comm(),
                int("rows", rows)?,
                int("rows", rows)?,
                all_rows,
                all_rows,
                offsets.as_ptr(),
                columns.as_ptr(),
                values.as_ptr(),
                &mut handle,
            )
        };
        check("MatCreateMPIAIJWithArrays", code)?;
        let matrix = Matrix { handle, world: world.clone(), rows, all: all as usize };
        matrix.set(petsc::MAT_SYMMETRIC)?;
        Ok(matrix)
    }

    fn set(&self, option: i32) -> Result<()> {
        let _turn = turn::take();
        // SAFETY: the matrix is valid, and the option is one of PETSc's.
        check("MatSetOption", unsafe { petsc::MatSetOption(self.handle, option, 1) })
    }

    /// Promises that the matrix is positive definite. Collective.
    pub fn promise_definite(&self) -> Result<()> {
        self.set(petsc::MAT_SPD)
    }

    /// Vectors that the matrix nearly annihilates, for a multigrid of it: orthonormal, own rows of each. Collective.
    pub fn set_near_null(&self, vectors: &[Vec<f64>]) -> Result<()> {
        let held: Vec<Vector<'_>> = vectors
            .iter()
            .map(|vector| Vector::owning(&self.world, vector, self.all))
            .collect::<Result<_>>()?;
        let handles: Vec<Handle> = held.iter().map(Vector::handle).collect();
        let (_turn, mut space) = (turn::take(), null_mut());
        // SAFETY: the vectors are valid, and the null space keeps references to them and the matrix one to it, so that
        // they live on when they are destroyed here.
        unsafe {
            let count = int("near-null vectors", handles.len())?;
            check(
                "MatNullSpaceCreate",
                petsc::MatNullSpaceCreate(
                    self.world.comm(),
                    0,
                    count,
                    handles.as_ptr(),
                    &mut space,
                ),
            )?;
            check("MatSetNearNullSpace", petsc::MatSetNearNullSpace(self.handle, space))?;
            check("MatNullSpaceDestroy", petsc::MatNullSpaceDestroy(&mut space))
        }
    }

    /// Adds a number to the diagonal. Collective.
    pub fn shift(&mut self, by: f64) -> Result<()> {
        let _turn = turn::take();
        // SAFETY: the matrix is valid and borrowed mutably.
        check("MatShift", unsafe { petsc::MatShift(self.handle, by) })
    }

    /// y = A x, own rows of both. Collective.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) -> Result<()> {
        assert!(x.len() == self.rows && y.len() == self.rows, "a vector of another size");
        let x = Vector::reading(&self.world, x, self.all)?;
        let y = Vector::looking_at(&self.world, y, self.all)?;
        let _turn = turn::take();
        // SAFETY: all three are valid and of the same size; y is not x.
        check("MatMult", unsafe { petsc::MatMult(self.handle, x.handle(), y.handle()) })
    }

    /// Rows of this rank.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Rows of all ranks.
    pub fn all(&self) -> usize {
        self.all
    }

    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    pub(crate) fn world(&self) -> &Arc<World> {
        &self.world
    }
}

impl Drop for Matrix {
    fn drop(&mut self) {
        let _turn = turn::take();
        // SAFETY: the matrix was made by PETSc and is destroyed once.
        unsafe { petsc::MatDestroy(&mut self.handle) };
    }
}
