//! Rust functions that PETSc calls.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use crate::error::{Result, check};
use crate::ffi::mpi::Handle;
use crate::ffi::petsc::{self, Code, FAILED};
use crate::vector::{with_read, with_write};

/// y = f(x), own rows of both.
pub(crate) type Map<'a> = &'a dyn Fn(&[f64], &mut [f64]);

/// A panic that must not cross the border to C: it is kept, and goes on behind the call.
pub(crate) type Kept = RefCell<Option<Box<dyn Any + Send>>>;

/// Runs what C has called.
pub(crate) fn guarded(kept: &Kept, work: impl FnOnce() -> Result<()>) -> Code {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => 0,
        Ok(Err(_)) => FAILED,
        Err(panic) => {
            *kept.borrow_mut() = Some(panic);
            FAILED
        }
    }
}

/// What a shell matrix or preconditioner applies.
pub(crate) struct Shell<'a> {
    pub(crate) map: Map<'a>,
    pub(crate) rows: usize,
    pub(crate) kept: &'a Kept,
}

impl Shell<'_> {
    /// # Safety
    /// The handles are those of two vectors with the own rows' length, not the same.
    unsafe fn apply(&self, x: Handle, y: Handle) -> Code {
        guarded(self.kept, || {
            // SAFETY: as the caller promises.
            unsafe { with_read(x, self.rows, |x| with_write(y, self.rows, |y| (self.map)(x, y)))? }
        })
    }
}

/// The product of a shell matrix, whose context is a [`Shell`].
pub(crate) unsafe extern "C" fn multiply(mat: Handle, x: Handle, y: Handle) -> Code {
    let mut context: *mut c_void = null_mut();
    // SAFETY: PETSc calls this with the matrix that was given the context of a shell that outlives it, and with two
    // vectors of its size.
    unsafe {
        if check("MatShellGetContext", petsc::MatShellGetContext(mat, (&raw mut context).cast()))
            .is_err()
        {
            return FAILED;
        }
        (*context.cast::<Shell<'_>>()).apply(x, y)
    }
}

/// The application of a shell preconditioner, whose context is a [`Shell`].
pub(crate) unsafe extern "C" fn precondition(pc: Handle, x: Handle, y: Handle) -> Code {
    let mut context: *mut c_void = null_mut();
    // SAFETY: as above.
    unsafe {
        if check("PCShellGetContext", petsc::PCShellGetContext(pc, (&raw mut context).cast()))
            .is_err()
        {
            return FAILED;
        }
        (*context.cast::<Shell<'_>>()).apply(x, y)
    }
}
