//! Vectors of PETSc, each rank with its own rows.

use std::ptr::null_mut;
use std::sync::Arc;

use crate::error::{Result, check, int};
use crate::ffi::mpi::Handle;
use crate::ffi::petsc;
use crate::turn;
use crate::world::World;

/// A vector of PETSc that looks at a slice, or has numbers of its own.
pub(crate) struct Vector<'a> {
    handle: Handle,
    _world: Arc<World>,
    _slice: std::marker::PhantomData<&'a mut [f64]>,
}

impl<'a> Vector<'a> {
    /// A vector with numbers of its own: so many rows here, so many on all ranks. Collective.
    pub(crate) fn new(world: &Arc<World>, rows: usize, all: usize) -> Result<Vector<'static>> {
        let _turn = turn::take();
        let mut handle = null_mut();
        // SAFETY: the communicator is the world's, and the handle is written to.
        let code = unsafe {
            petsc::VecCreateMPI(world.comm(), int("rows", rows)?, int("points", all)?, &mut handle)
        };
        check("VecCreateMPI", code)?;
        Ok(Vector { handle, _world: world.clone(), _slice: std::marker::PhantomData })
    }

    /// A vector that looks at a slice, for as long as it lives. Collective.
    pub(crate) fn looking_at(
        world: &Arc<World>,
        slice: &'a mut [f64],
        all: usize,
    ) -> Result<Vector<'a>> {
        let (rows, array) = (int("rows", slice.len())?, slice.as_mut_ptr());
        // SAFETY: the slice is borrowed mutably for the life of the vector.
        unsafe { Vector::at(world, rows, array, all) }
    }

    /// The same of what is only read.
    pub(crate) fn reading(world: &Arc<World>, slice: &'a [f64], all: usize) -> Result<Vector<'a>> {
        let (rows, array) = (int("rows", slice.len())?, slice.as_ptr());
        // SAFETY: the slice is borrowed for the life of the vector, which is handed only to functions that read it.
        unsafe { Vector::at(world, rows, array, all) }
    }

    /// # Safety
    /// The array has so many entries, lives as long as the vector, and is not written by others.
    unsafe fn at(
        world: &Arc<World>,
        rows: petsc::Int,
        array: *const f64,
        all: usize,
    ) -> Result<Vector<'a>> {
        let _turn = turn::take();
        let (mut handle, all) = (null_mut(), int("points", all)?);
        // SAFETY: the array is as the caller promises; the handle is written to.
        let code =
            unsafe { petsc::VecCreateMPIWithArray(world.comm(), 1, rows, all, array, &mut handle) };
        check("VecCreateMPIWithArray", code)?;
        Ok(Vector { handle, _world: world.clone(), _slice: std::marker::PhantomData })
    }

    /// A vector with a copy of the own rows. Collective.
    pub(crate) fn owning(
        world: &Arc<World>,
        values: &[f64],
        all: usize,
    ) -> Result<Vector<'static>> {
        let vector = Vector::new(world, values.len(), all)?;
        let _turn = turn::take();
        // SAFETY: the vector was made with so many rows, and nothing else knows it.
        unsafe { with_write(vector.handle, values.len(), |rows| rows.copy_from_slice(values))? };
        Ok(vector)
    }

    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    /// A copy of the own rows.
    pub(crate) fn to_vec(&self, rows: usize) -> Result<Vec<f64>> {
        let _turn = turn::take();
        // SAFETY: this is a vector of PETSc with so many rows here.
        unsafe { with_read(self.handle, rows, <[f64]>::to_vec) }
    }
}

impl Drop for Vector<'_> {
    fn drop(&mut self) {
        let _turn = turn::take();
        // SAFETY: the vector was made by PETSc and is destroyed once. What fails here leaves memory behind, no more.
        unsafe { petsc::VecDestroy(&mut self.handle) };
    }
}

/// Looks at the own rows of a vector of PETSc.
///
/// # Safety
/// The handle is that of a vector with so many rows on this rank.
pub(crate) unsafe fn with_read<T>(
    handle: Handle,
    rows: usize,
    look: impl FnOnce(&[f64]) -> T,
) -> Result<T> {
    let mut array: *const f64 = null_mut();
    // SAFETY: the vector is valid; the array that it shows has `rows` entries until it is given back.
    unsafe {
        check("VecGetArrayRead", petsc::VecGetArrayRead(handle, &mut array))?;
        let result = look(if rows == 0 { &[] } else { std::slice::from_raw_parts(array, rows) });
        check("VecRestoreArrayRead", petsc::VecRestoreArrayRead(handle, &mut array))?;
        Ok(result)
    }
}

/// Writes the own rows of a vector of PETSc.
///
/// # Safety
/// The handle is that of a vector with so many rows on this rank, and nothing else looks at them.
pub(crate) unsafe fn with_write<T>(
    handle: Handle,
    rows: usize,
    write: impl FnOnce(&mut [f64]) -> T,
) -> Result<T> {
    let mut array: *mut f64 = null_mut();
    // SAFETY: the vector is valid; the array that it shows has `rows` entries until it is given back.
    unsafe {
        check("VecGetArray", petsc::VecGetArray(handle, &mut array))?;
        let result =
            write(if rows == 0 { &mut [] } else { std::slice::from_raw_parts_mut(array, rows) });
        check("VecRestoreArray", petsc::VecRestoreArray(handle, &mut array))?;
        Ok(result)
    }
}
