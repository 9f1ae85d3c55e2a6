//! `mpi.h` of Open MPI, whose handles are pointers.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::{addr_of, null_mut};

pub(crate) type Handle = *mut c_void;

pub(crate) const THREAD_SERIALIZED: c_int = 2;
pub(crate) const COMM_TYPE_SHARED: c_int = 0;
pub(crate) const MAX_ERROR_STRING: usize = 256;

/// An object that Open MPI has made; only its address counts.
#[repr(C)]
pub(crate) struct Predefined([u8; 0]);

pub(crate) fn world() -> Handle {
    addr_of!(ompi_mpi_comm_world).cast_mut().cast()
}

pub(crate) fn double() -> Handle {
    addr_of!(ompi_mpi_double).cast_mut().cast()
}

pub(crate) fn byte() -> Handle {
    addr_of!(ompi_mpi_byte).cast_mut().cast()
}

pub(crate) fn sum() -> Handle {
    addr_of!(ompi_mpi_op_sum).cast_mut().cast()
}

pub(crate) fn no_info() -> Handle {
    addr_of!(ompi_mpi_info_null).cast_mut().cast()
}

pub(crate) fn errors_return() -> Handle {
    addr_of!(ompi_mpi_errors_return).cast_mut().cast()
}

pub(crate) fn in_place() -> *const c_void {
    null_mut::<u8>().wrapping_add(1).cast()
}

unsafe extern "C" {
    safe static ompi_mpi_comm_world: Predefined;
    safe static ompi_mpi_double: Predefined;
    safe static ompi_mpi_byte: Predefined;
    safe static ompi_mpi_op_sum: Predefined;
    safe static ompi_mpi_info_null: Predefined;
    safe static ompi_mpi_errors_return: Predefined;

    pub(crate) fn MPI_Init_thread(
        argc: *mut c_int,
        argv: *mut *mut *mut c_char,
        required: c_int,
        provided: *mut c_int,
    ) -> c_int;
    pub(crate) fn MPI_Finalize() -> c_int;
    pub(crate) fn MPI_Abort(comm: Handle, code: c_int) -> c_int;
    pub(crate) fn MPI_Error_string(code: c_int, text: *mut c_char, length: *mut c_int) -> c_int;
    pub(crate) fn MPI_Comm_set_errhandler(comm: Handle, handler: Handle) -> c_int;
    pub(crate) fn MPI_Comm_dup(comm: Handle, new: *mut Handle) -> c_int;
    pub(crate) fn MPI_Comm_free(comm: *mut Handle) -> c_int;
    pub(crate) fn MPI_Comm_rank(comm: Handle, rank: *mut c_int) -> c_int;
    pub(crate) fn MPI_Comm_size(comm: Handle, size: *mut c_int) -> c_int;
    pub(crate) fn MPI_Comm_split_type(
        comm: Handle,
        kind: c_int,
        key: c_int,
        info: Handle,
        new: *mut Handle,
    ) -> c_int;
    pub(crate) fn MPI_Barrier(comm: Handle) -> c_int;
    pub(crate) fn MPI_Bcast(
        buffer: *mut c_void,
        count: c_int,
        kind: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub(crate) fn MPI_Reduce(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        kind: Handle,
        op: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub(crate) fn MPI_Allgather(
        from: *const c_void,
        count: c_int,
        kind: Handle,
        to: *mut c_void,
        to_count: c_int,
        to_kind: Handle,
        comm: Handle,
    ) -> c_int;
    pub(crate) fn MPI_Allgatherv(
        from: *const c_void,
        count: c_int,
        kind: Handle,
        to: *mut c_void,
        to_counts: *const c_int,
        to_starts: *const c_int,
        to_kind: Handle,
        comm: Handle,
    ) -> c_int;
    pub(crate) fn MPI_Alltoall(
        from: *const c_void,
        count: c_int,
        kind: Handle,
        to: *mut c_void,
        to_count: c_int,
        to_kind: Handle,
        comm: Handle,
    ) -> c_int;
    pub(crate) fn MPI_Alltoallv(
        from: *const c_void,
        counts: *const c_int,
        starts: *const c_int,
        kind: Handle,
        to: *mut c_void,
        to_counts: *const c_int,
        to_starts: *const c_int,
        to_kind: Handle,
        comm: Handle,
    ) -> c_int;
}
