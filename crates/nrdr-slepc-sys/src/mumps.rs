//! Sparse Cholesky factors by MUMPS: factorised once, solved for many right sides.

use std::ptr::null_mut;
use std::sync::Arc;

use crate::error::{Error, Result, check, int};
use crate::ffi::mpi::Handle;
use crate::ffi::petsc::{self, FactorInfo, Int};
use crate::matrix::Matrix;
use crate::turn;
use crate::world::World;

/// ICNTL(14): per cent of the work space that is added to what was foreseen,
const MORE_SPACE: usize = 30;
/// and how far that is raised where it was not enough.
const MOST_SPACE: usize = 500;

/// What a factor is predicted to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Entries of the factor on all ranks.
    pub entries: f64,
    /// Multiplications of the factorisation.
    pub flops: f64,
    /// Bytes on this rank while factorising.
    pub here: f64,
    /// Bytes on the rank that needs most,
    pub most: f64,
    /// and on all together.
    pub all: f64,
}

/// A Cholesky factor of MUMPS, or the plan of one.
pub struct Factor {
    handle: Handle,
    info: FactorInfo,
    world: Arc<World>,
    rows: usize,
    all: usize,
}

// SAFETY: the handle is used only by the thread that has the turn.
unsafe impl Send for Factor {}
// SAFETY: as above.
unsafe impl Sync for Factor {}

impl Factor {
    /// Analyses the pattern of a symmetric matrix that was promised to be positive definite. Collective; an error of MUMPS is
    /// all ranks'.
    pub fn plan(matrix: &Matrix) -> Result<Self> {
        let _turn = turn::take();
        let mut factor = Factor {
            handle: null_mut(),
            info: FactorInfo([0.0; 11]),
            world: matrix.world().clone(),
            rows: matrix.rows(),
            all: matrix.all(),
        };
        // SAFETY: the matrix is valid, the name ends with a zero, and the table of settings is written before it is read.
        unsafe {
            let code = petsc::MatGetFactor(
                matrix.handle(),
                c"mumps".as_ptr(),
                petsc::MAT_FACTOR_CHOLESKY,
                &mut factor.handle,
            );
            check("MatGetFactor", code)?;
            check("MatFactorInfoInitialize", petsc::MatFactorInfoInitialize(&mut factor.info))?;
            factor.control(14, MORE_SPACE)?;
            let code = petsc::MatCholeskyFactorSymbolic(
                factor.handle,
                matrix.handle(),
                null_mut(),
                &factor.info,
            );
            factor.checked("MatCholeskyFactorSymbolic", code)?;
        }
        Ok(factor)
    }

    /// What factorising is predicted to take.
    pub fn cost(&self) -> Result<Cost> {
        const MEGABYTE: f64 = 1e6;
        // A negative count is one in millions.
        let count = |value: Int| {
            if value < 0 { -1e6 * value as f64 } else { value as f64 }
        };
        Ok(Cost {
            entries: count(self.of_all(20)?),
            flops: self.flops()?,
            here: MEGABYTE * count(self.of_rank(15)?),
            most: MEGABYTE * count(self.of_all(16)?),
            all: MEGABYTE * count(self.of_all(17)?),
        })
    }

    /// Computes the factor of a matrix of the pattern that was analysed. Collective; an error of MUMPS, and that the matrix is
    /// not positive definite, are all ranks'.
    pub fn factorize(&mut self, matrix: &Matrix) -> Result<()> {
        assert!(self.rows == matrix.rows() && self.all == matrix.all(), "another matrix");
        let _turn = turn::take();
        let mut space = MORE_SPACE;
        loop {
            // SAFETY: the factor was planned for a matrix of this size and pattern.
            let done = unsafe {
                check("MatFactorClearError", petsc::MatFactorClearError(self.handle))?;
                let code =
                    petsc::MatCholeskyFactorNumeric(self.handle, matrix.handle(), &self.info);
                self.checked("MatCholeskyFactorNumeric", code)
            };
            match done {
                // Less was foreseen than was needed.
                Err(Error::Mumps { code: -8 | -9 | -14 | -15 | -17 | -20, .. })
                    if space < MOST_SPACE =>
                {
                    space = (2 * space).min(MOST_SPACE);
                    self.control(14, space)?;
                }
                Err(error) => return Err(error),
                // MUMPS goes on past negative pivots, and counts them.
                Ok(()) if self.of_all(12)? > 0 => return Err(Error::NotPositive),
                Ok(()) => return Ok(()),
            }
        }
    }

    /// Solves for so many right sides, own rows of one after another, in place. Collective; an error of MUMPS is all ranks'.
    pub fn solve(&self, columns: &mut [f64], width: usize) -> Result<()> {
        if width == 0 {
            return Ok(());
        }
        assert!(columns.len() == width * self.rows, "columns of another length");
        let mut right = columns.to_vec();
        let _turn = turn::take();
        let right = Dense::new(&self.world, &mut right, self.all, width)?;
        let solution = Dense::new(&self.world, columns, self.all, width)?;
        // SAFETY: the factor and both matrices are valid and of the same size, and the matrices are not the same.
        let code = unsafe { petsc::MatMatSolve(self.handle, right.handle, solution.handle) };
        self.checked("MatMatSolve", code)
    }

    fn control(&self, number: Int, value: usize) -> Result<()> {
        // SAFETY: the factor is one of MUMPS.
        let code = unsafe { petsc::MatMumpsSetIcntl(self.handle, number, int("settings", value)?) };
        check("MatMumpsSetIcntl", code)
    }

    /// INFOG: the same on all ranks.
    fn of_all(&self, number: Int) -> Result<Int> {
        let (_turn, mut value) = (turn::take(), 0);
        // SAFETY: the factor is one of MUMPS; an integer is written.
        let code = unsafe { petsc::MatMumpsGetInfog(self.handle, number, &mut value) };
        check("MatMumpsGetInfog", code).map(|()| value)
    }

    /// INFO: of this rank.
    fn of_rank(&self, number: Int) -> Result<Int> {
        let (_turn, mut value) = (turn::take(), 0);
        // SAFETY: as above.
        let code = unsafe { petsc::MatMumpsGetInfo(self.handle, number, &mut value) };
        check("MatMumpsGetInfo", code).map(|()| value)
    }

    fn flops(&self) -> Result<f64> {
        let (_turn, mut value) = (turn::take(), 0.0);
        // SAFETY: the factor is one of MUMPS; a number is written.
        let code = unsafe { petsc::MatMumpsGetRinfog(self.handle, 1, &mut value) };
        check("MatMumpsGetRinfog", code).map(|()| value)
    }

    /// Errors of MUMPS, which PETSc passes by in silence, or puts into words of its own.
    fn checked(&self, function: &'static str, code: petsc::Code) -> Result<()> {
        let called = check(function, code);
        match self.of_all(1) {
            Ok(-10 | -40) => Err(Error::NotPositive),
            Ok(code) if code < 0 => {
                let detail = i64::from(self.of_all(2)?);
                Err(Error::Mumps { code: i64::from(code), detail })
            }
            _ => called,
        }
    }
}

impl Drop for Factor {
    fn drop(&mut self) {
        let _turn = turn::take();
        // SAFETY: made by PETSc, or null, which PETSc lets pass; destroyed once.
        unsafe { petsc::MatDestroy(&mut self.handle) };
    }
}

/// A dense matrix of PETSc that looks at columns one after another.
struct Dense<'a> {
    handle: Handle,
    _columns: std::marker::PhantomData<&'a mut [f64]>,
}

impl<'a> Dense<'a> {
    fn new(
        world: &Arc<World>,
        columns: &'a mut [f64],
        all: usize,
        width: usize,
    ) -> Result<Dense<'a>> {
        let (rows, mut handle) = (columns.len() / width.max(1), null_mut());
        // SAFETY: the slice holds `width` columns of so many rows, and is borrowed mutably for the life of the matrix.
        let code = unsafe {
            petsc::MatCreateDense(
                world.comm(),
                int("rows", rows)?,
                petsc::DECIDE,
                int("points", all)?,
                int("columns", width)?,
                columns.as_mut_ptr(),
                &mut handle,
            )
        };
        check("MatCreateDense", code)?;
        Ok(Dense { handle, _columns: std::marker::PhantomData })
    }
}

impl Drop for Dense<'_> {
    fn drop(&mut self) {
        // SAFETY: made by PETSc and destroyed once; the turn is held by whoever holds this.
        unsafe { petsc::MatDestroy(&mut self.handle) };
    }
}
