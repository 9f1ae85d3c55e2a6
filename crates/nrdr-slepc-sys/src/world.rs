//! All ranks of a run, and what they tell each other.

use std::ffi::{CStr, c_int, c_void};
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
    piece: usize,
    traffic: Traffic,
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
    fn must<T>(&self, done: Result<T>) -> T {
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

    /// Waits for all ranks.
    pub fn barrier(&self) {
        let _turn = turn::take();
        // SAFETY: the communicator is valid as long as the world is.
        let code = unsafe { mpi::MPI_Barrier(self.comm) };
        self.must(check_mpi("MPI_Barrier", code));
    }

    /// Replaces each entry by its sum over all ranks; the same bits at all of them.
    pub fn sum(&self, values: &mut [f64]) {
        if self.size == 1 || values.is_empty() {
            return;
        }
        let _turn = turn::take();
        for piece in values.chunks_mut((self.piece / 8).max(1)) {
            self.must(self.sum_piece(piece));
        }
    }

    /// Rank 0 adds up and tells the others: an algorithm in which all add up need not give the same bits everywhere.
    fn sum_piece(&self, values: &mut [f64]) -> Result<()> {
        self.traffic.add(8 * values.len());
        let (buffer, count): (*mut c_void, _) = (values.as_mut_ptr().cast(), values.len() as c_int);
        let first = self.rank == 0;
        let from = if first { mpi::in_place() } else { buffer.cast_const() };
        let to = if first { buffer } else { null_mut() };
        // SAFETY: the buffer holds `count` numbers, and all ranks have as many. Rank 0 adds up in place; elsewhere nothing is
        // written to until the sum is told.
        unsafe {
            let code = mpi::MPI_Reduce(from, to, count, mpi::double(), mpi::sum(), 0, self.comm);
            check_mpi("MPI_Reduce", code)?;
            check_mpi("MPI_Bcast", mpi::MPI_Bcast(buffer, count, mpi::double(), 0, self.comm))
        }
    }

    /// A number of each rank, at all of them.
    fn gather_lengths(&self, mine: usize) -> Result<Vec<usize>> {
        let mut lengths = vec![0u64; self.size];
        let mine = mine as u64;
        // SAFETY: each rank sends eight bytes, and there is room for eight of each.
        let code = unsafe {
            mpi::MPI_Allgather(
                (&raw const mine).cast(),
                8,
                mpi::byte(),
                lengths.as_mut_ptr().cast(),
                8,
                mpi::byte(),
                self.comm,
            )
        };
        check_mpi("MPI_Allgather", code)?;
        Ok(lengths.into_iter().map(|length| length as usize).collect())
    }

    /// What every rank gives, at all of them, in order of their numbers.
    pub fn gather(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        if self.size == 1 {
            return vec![mine];
        }
        let _turn = turn::take();
        self.traffic.add(mine.len());
        self.must(self.gather_pieces(&mine))
    }

    fn gather_pieces(&self, mine: &[u8]) -> Result<Vec<Vec<u8>>> {
        let lengths = self.gather_lengths(mine.len())?;
        let piece = (self.piece / self.size).max(1);
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let mut all: Vec<Vec<u8>> = lengths.iter().map(|&n| Vec::with_capacity(n)).collect();
        for start in (0..longest).step_by(piece) {
            let part = |length: usize| length.saturating_sub(start).min(piece);
            let (counts, places, total) = places(lengths.iter().map(|&length| part(length)));
            let mut received = vec![0u8; total];
            let own = &mine[start.min(mine.len())..][..part(mine.len())];
            let (from, to) = (reading(own), writing(&mut received));
            // SAFETY: this rank sends what `own` holds; what comes from each has its place in `received`, as the lengths
            // say that all ranks have told.
            let code = unsafe {
                mpi::MPI_Allgatherv(
                    from,
                    own.len() as c_int,
                    mpi::byte(),
                    to,
                    counts.as_ptr(),
                    places.as_ptr(),
                    mpi::byte(),
                    self.comm,
                )
            };
            check_mpi("MPI_Allgatherv", code)?;
            hand_out(&mut all, &received, &counts);
        }
        Ok(all)
    }

    /// Sends `to[r]` to rank r; what each of them has sent here, in order of their numbers.
    pub fn exchange(&self, mut to: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        to.resize(self.size, Vec::new());
        if self.size == 1 {
            return to;
        }
        let _turn = turn::take();
        // What stays here takes no way.
        let kept = std::mem::take(&mut to[self.rank]);
        self.traffic.add(to.iter().map(Vec::len).sum());
        let mut from = self.must(self.exchange_pieces(&to));
        from[self.rank] = kept;
        from
    }

    fn exchange_pieces(&self, to: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
        let mine: Vec<u64> = to.iter().map(|part| part.len() as u64).collect();
        let mut theirs = vec![0u64; self.size];
        // SAFETY: eight bytes go to each rank and come from each.
        let code = unsafe {
            mpi::MPI_Alltoall(
                mine.as_ptr().cast(),
                8,
                mpi::byte(),
                theirs.as_mut_ptr().cast(),
                8,
                mpi::byte(),
                self.comm,
            )
        };
        check_mpi("MPI_Alltoall", code)?;
        // All must make as many rounds.
        let longest = to.iter().map(Vec::len).max().unwrap_or(0);
        let longest = self.gather_lengths(longest)?.into_iter().max().unwrap_or(0);
        let piece = (self.piece / self.size).max(1);
        let mut from: Vec<Vec<u8>> =
            theirs.iter().map(|&length| Vec::with_capacity(length as usize)).collect();
        for start in (0..longest).step_by(piece) {
            let part = |length: usize| length.saturating_sub(start).min(piece);
            let (out, out_places, out_total) = places(to.iter().map(|to| part(to.len())));
            let mut sent = Vec::with_capacity(out_total);
            for to in to {
                sent.extend_from_slice(&to[start.min(to.len())..][..part(to.len())]);
            }
            let (counts, in_places, total) =
                places(theirs.iter().map(|&length| part(length as usize)));
            let mut received = vec![0u8; total];
            let (buffer, to) = (reading(&sent), writing(&mut received));
            // SAFETY: counts and places are those of `sent` and `received`, and what one rank sends is what the other
            // expects, by the lengths that they have told each other.
            let code = unsafe {
                mpi::MPI_Alltoallv(
                    buffer,
                    out.as_ptr(),
                    out_places.as_ptr(),
                    mpi::byte(),
                    to,
                    counts.as_ptr(),
                    in_places.as_ptr(),
                    mpi::byte(),
                    self.comm,
                )
            };
            check_mpi("MPI_Alltoallv", code)?;
            hand_out(&mut from, &received, &counts);
        }
        Ok(from)
    }
}

/// Lengths, where each part begins, and the length of all together; a piece is so short that all fit.
fn places(lengths: impl Iterator<Item = usize>) -> (Vec<c_int>, Vec<c_int>, usize) {
    let (mut counts, mut places, mut total) = (Vec::new(), Vec::new(), 0);
    for length in lengths {
        counts.push(length as c_int);
        places.push(total as c_int);
        total += length;
    }
    (counts, places, total)
}

/// A buffer for MPI. An empty one of Rust begins at address 1, which Open MPI takes for MPI_IN_PLACE.
fn reading(bytes: &[u8]) -> *const c_void {
    if bytes.is_empty() { null_mut() } else { bytes.as_ptr().cast() }
}

/// The same of one that is written.
fn writing(bytes: &mut [u8]) -> *mut c_void {
    if bytes.is_empty() { null_mut() } else { bytes.as_mut_ptr().cast() }
}

/// Appends to each its part.
fn hand_out(all: &mut [Vec<u8>], received: &[u8], counts: &[c_int]) {
    let mut rest = received;
    for (to, &count) in all.iter_mut().zip(counts) {
        let (part, tail) = rest.split_at(count as usize);
        to.extend_from_slice(part);
        rest = tail;
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
