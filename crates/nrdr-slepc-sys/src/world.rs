//! All ranks of a run, and what they tell each other.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result, check, check_mpi, remember};
use crate::ffi::{mpi, petsc, slepc};
use crate::traffic::Traffic;
use crate::turn;

/// Bytes that a rank gives to a collective call at most: counts and places are 32-bit numbers, and what comes together at
/// one rank is counted as well.
const PIECE: usize = 1 << 28;

/// What is set before PETSc looks at PETSC_OPTIONS, which may say otherwise.
const SETTINGS: &[(&CStr, &CStr)] = &[
    // A fault is the system's to report, and the files of settings that PETSc looks for are not ours.
    (c"-no_signal_handler", c"true"),
    (c"-skip_petscrc", c"true"),
    (c"-nrdr_mg_levels_ksp_type", c"chebyshev"),
    (c"-nrdr_mg_levels_ksp_max_it", c"3"),
    (c"-nrdr_mg_levels_pc_type", c"jacobi"),
    // Where several vectors are known that are nearly annihilated, aggregates are small: each has an unknown for each.
    (c"-nrdr_fine_pc_gamg_square_graph", c"0"),
    (c"-nrdr_fine_mg_levels_ksp_type", c"chebyshev"),
    (c"-nrdr_fine_mg_levels_ksp_max_it", c"3"),
    (c"-nrdr_fine_mg_levels_pc_type", c"jacobi"),
    // The small eigenproblems of an iteration are solved by one rank: others might decide otherwise.
    (c"-nrdr_ds_parallel", c"synchronized"),
];

static STARTED: AtomicBool = AtomicBool::new(false);

/// MPI and SLEPc, from [`World::start`] until the last clone of the pointer is dropped. A call that fails ends the whole
/// run: of what the other ranks wait for nothing could be said.
pub struct World {
    comm: mpi::Handle,
    rank: usize,
    size: usize,
    neighbors: usize,
    /// Bytes that a rank gives to a collective call at most.
    pub(crate) piece: usize,
    pub(crate) traffic: Traffic,
}

// SAFETY: the communicator is a pointer that never changes, and every call that takes it is made by the thread that has the
// turn, which is what MPI was started for.
unsafe impl Send for World {}
// SAFETY: as above.
unsafe impl Sync for World {}

impl World {
    /// Starts MPI and SLEPc: once in a process.
    pub fn start() -> Result<Arc<World>> {
        World::with_pieces(PIECE)
    }

    /// The same where a message has no more than so many bytes; longer ones go in pieces.
    pub fn with_pieces(piece: usize) -> Result<Arc<World>> {
        let _turn = turn::take();
        if STARTED.swap(true, Ordering::SeqCst) {
            return Err(Error::Started);
        }
        let mut world = World {
            comm: null_mut(),
            rank: 0,
            size: 1,
            neighbors: 1,
            piece: piece.clamp(1, PIECE),
            traffic: Traffic::new(),
        };
        match world.start_mpi().and_then(|()| start_slepc()) {
            Ok(()) => Ok(Arc::new(world)),
            Err(error) => {
                // What was not started must not be ended.
                std::mem::forget(world);
                Err(error)
            }
        }
    }

    fn start_mpi(&mut self) -> Result<()> {
        let (mut provided, mut rank, mut size, mut here) = (0, 0, 0, 0);
        let mut host = null_mut();
        // SAFETY: MPI has not been started before, null pointers stand for no arguments, and every other pointer is to a
        // variable of the type that the function writes.
        unsafe {
            check_mpi(
                "MPI_Init_thread",
                mpi::MPI_Init_thread(null_mut(), null_mut(), mpi::THREAD_SERIALIZED, &mut provided),
            )?;
            let handler = mpi::errors_return();
            check_mpi(
                "MPI_Comm_set_errhandler",
                mpi::MPI_Comm_set_errhandler(mpi::world(), handler),
            )?;
            check_mpi("MPI_Comm_dup", mpi::MPI_Comm_dup(mpi::world(), &mut self.comm))?;
            check_mpi("MPI_Comm_rank", mpi::MPI_Comm_rank(self.comm, &mut rank))?;
            check_mpi("MPI_Comm_size", mpi::MPI_Comm_size(self.comm, &mut size))?;
            let split = mpi::MPI_Comm_split_type(
                self.comm,
                mpi::COMM_TYPE_SHARED,
                0,
                mpi::no_info(),
                &mut host,
            );
            check_mpi("MPI_Comm_split_type", split)?;
            check_mpi("MPI_Comm_size", mpi::MPI_Comm_size(host, &mut here))?;
            check_mpi("MPI_Comm_free", mpi::MPI_Comm_free(&mut host))?;
        }
        if provided < mpi::THREAD_SERIALIZED {
            self.abort("this MPI does not allow calls from one thread after another");
        }
        (self.rank, self.size, self.neighbors) = (rank as usize, size as usize, here as usize);
        Ok(())
    }

    /// The number of this rank, counted from 0.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many ranks there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many of them share the memory of this one, itself included.
    pub fn ranks_here(&self) -> usize {
        self.neighbors
    }

    pub(crate) fn comm(&self) -> mpi::Handle {
        self.comm
    }

    /// Ends all ranks at once, with exit code 2, and says why.
    pub fn abort(&self, reason: &str) -> ! {
        eprintln!("nrdr-mpi: rank {}: {reason}", self.rank);
        // SAFETY: MPI has been started; all of its ranks are meant.
        unsafe { mpi::MPI_Abort(mpi::world(), 2) };
        std::process::exit(2)
    }

    /// What cannot be undone on one rank alone ends all of them.
    pub(crate) fn must<T>(&self, done: Result<T>) -> T {
        done.unwrap_or_else(|error| self.abort(&error.to_string()))
    }

    /// What is sent from now on is counted for this stage.
    pub fn stage(&self, name: &str) {
        self.traffic.begin(name, sent_by_petsc());
    }

    /// Bytes that this rank has sent in each stage. Of sums the own share is counted, of PETSc's messages those between two
    /// ranks; what MUMPS sends is not counted.
    pub fn sent(&self) -> Vec<(String, u64)> {
        self.traffic.sent(sent_by_petsc())
    }
}

fn start_slepc() -> Result<()> {
    for (name, value) in SETTINGS {
        // SAFETY: null is the table of all options, and the strings end with a zero.
        let code =
            unsafe { petsc::PetscOptionsSetValue(null_mut(), name.as_ptr(), value.as_ptr()) };
        check("PetscOptionsSetValue", code)?;
    }
    // SAFETY: MPI has been started; the handler has the type that PETSc calls and needs no context.
    unsafe {
        check("SlepcInitializeNoArguments", slepc::SlepcInitializeNoArguments())?;
        check("PetscPushErrorHandler", petsc::PetscPushErrorHandler(remember, null_mut()))
    }
}

/// Bytes in PETSc's messages between two ranks.
fn sent_by_petsc() -> u64 {
    let _turn = turn::take();
    // SAFETY: numbers that only PETSc changes, and PETSc runs only where the turn is.
    unsafe { (petsc::petsc_isend_len + petsc::petsc_send_len) as u64 }
}

/// The version of PETSc, as text.
pub fn petsc_version() -> String {
    let (mut major, mut minor, mut patch, mut release) = (0, 0, 0, 0);
    // SAFETY: four integers are written.
    let code =
        unsafe { petsc::PetscGetVersionNumber(&mut major, &mut minor, &mut patch, &mut release) };
    if code == 0 { format!("{major}.{minor}.{patch}") } else { "unknown".into() }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The others wait for this rank.
            self.abort("panicked");
        }
        let _turn = turn::take();
        // SAFETY: what was made by the libraries holds a clone of the pointer to this world, so it is gone by now.
        unsafe {
            let done = check("SlepcFinalize", slepc::SlepcFinalize())
                .and_then(|()| check_mpi("MPI_Comm_free", mpi::MPI_Comm_free(&mut self.comm)))
                .and_then(|()| check_mpi("MPI_Finalize", mpi::MPI_Finalize()));
            self.must(done);
        }
    }
}
