//! What can go wrong in the libraries.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Mutex, PoisonError};

use crate::ffi::mpi::{Handle, MAX_ERROR_STRING, MPI_Error_string};
use crate::ffi::petsc::{Code, INITIAL, Int};

/// The libraries' result type.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a call of MPI, PETSc, SLEPc or MUMPS failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A function returned an error code.
    #[error("{function} failed with code {code}: {message}")]
    Call {
        /// The function that was called.
        function: &'static str,
        /// What it returned.
        code: i32,
        /// What the library says about it.
        message: String,
    },

    /// A number that the library's integers do not hold.
    #[error(
        "{count} {what} are more than the {bits}-bit integers of this PETSc hold: take more ranks where it is a rank's own, \
         or build against libslepc64-real-dev (NRDR_PKG_PETSC and NRDR_PKG_SLEPC name its pkg-config files)"
    )]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// The size of an integer.
        bits: u32,
    },

    /// MPI was started before: a process has one world.
    #[error("MPI has been started before in this process")]
    Started,

    /// The factor has negative pivots: the matrix is not positive definite.
    #[error("the matrix is not positive definite")]
    NotPositive,

    /// MUMPS could not factorise or solve; the same on all ranks.
    #[error("MUMPS failed with INFOG(1) = {code}, INFOG(2) = {detail}: {}", mumps_text(*code))]
    Mumps {
        /// INFOG(1).
        code: i64,
        /// INFOG(2).
        detail: i64,
    },
}

/// What the user's guide of MUMPS says about the codes that one meets.
fn mumps_text(code: i64) -> &'static str {
    match code {
        -5 | -7 | -13 | -22 => "memory could not be allocated: take more ranks or more memory",
        -8 | -9 | -14 | -15 | -17 | -20 => "its work space is too small",
        -19 => "the memory that it may take is too little",
        -51 | -52 => "the structure of the matrix is too large for 32-bit integers of its ordering",
        -53 => "a rank was given no rows where it needs some",
        -1 => "another rank failed",
        _ => "see INFO in the user's guide of MUMPS",
    }
}

/// What PETSc said about the last error that it found.
static MESSAGE: Mutex<String> = Mutex::new(String::new());

/// Keeps the text of an error instead of printing it.
pub(crate) unsafe extern "C" fn remember(
    _: Handle,
    line: c_int,
    function: *const c_char,
    _: *const c_char,
    code: Code,
    kind: c_int,
    message: *const c_char,
    _: *mut c_void,
) -> Code {
    if kind == INITIAL {
        let text = |text: *const c_char| {
            if text.is_null() {
                return String::new();
            }
            // SAFETY: PETSc hands over strings that end with a zero and live through this call.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        };
        let text = format!("{} (in {}, line {line})", text(message).trim(), text(function));
        *MESSAGE.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
    code
}

/// Whether a call of PETSc or SLEPc went well.
pub(crate) fn check(function: &'static str, code: Code) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    let message = std::mem::take(&mut *MESSAGE.lock().unwrap_or_else(PoisonError::into_inner));
    Err(Error::Call { function, code, message })
}

/// Whether a call of MPI went well.
pub(crate) fn check_mpi(function: &'static str, code: c_int) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    let mut text = [0u8; MAX_ERROR_STRING + 1];
    let mut length = 0;
    // SAFETY: the buffer is as long as MPI asks for, and the length is written to.
    unsafe { MPI_Error_string(code, text.as_mut_ptr().cast(), &mut length) };
    let text = &text[..(length.max(0) as usize).min(MAX_ERROR_STRING)];
    Err(Error::Call { function, code, message: String::from_utf8_lossy(text).into_owned() })
}

/// A number as PETSc's integer.
pub(crate) fn int(what: &'static str, count: usize) -> Result<Int> {
    Int::try_from(count).map_err(|_| too_many(what, count as u64))
}

/// The error of a number that PETSc's integers do not hold.
pub(crate) fn too_many(what: &'static str, count: u64) -> Error {
    Error::TooMany { what, count, bits: Int::BITS }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_fit_name_the_way_out() {
        assert_eq!(int("rows", 7).unwrap(), 7);
        if Int::BITS == 32 {
            let error = int("rows", 1 << 31).unwrap_err().to_string();
            assert!(error.contains("2147483648 rows") && error.contains("libslepc64-real-dev"));
        }
    }

    #[test]
    fn codes_of_mumps_are_explained() {
        let error = Error::Mumps { code: -13, detail: 5 }.to_string();
        assert!(error.contains("more ranks or more memory"), "{error}");
    }
}
