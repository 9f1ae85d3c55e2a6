//! What the ranks tell each other: sums, and bytes in messages of any length.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use crate::error::{Result, check_mpi};
use crate::ffi::mpi;
use crate::turn;
use crate::world::World;

impl World {
    /// Waits for all ranks.
    pub fn barrier(&self) {
        let _turn = turn::take();
        // SAFETY: the communicator is valid as long as the world is.
        let code = unsafe { mpi::MPI_Barrier(self.comm()) };
        self.must(check_mpi("MPI_Barrier", code));
    }

    /// Replaces each entry by its sum over all ranks; the same bits at all of them.
    pub fn sum(&self, values: &mut [f64]) {
        if self.size() == 1 || values.is_empty() {
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
        let first = self.rank() == 0;
        let from = if first { mpi::in_place() } else { buffer.cast_const() };
        let to = if first { buffer } else { null_mut() };
        // SAFETY: the buffer holds `count` numbers, and all ranks have as many. Rank 0 adds up in place; elsewhere nothing is
        // written to until the sum is told.
        unsafe {
            let code = mpi::MPI_Reduce(from, to, count, mpi::double(), mpi::sum(), 0, self.comm());
            check_mpi("MPI_Reduce", code)?;
            check_mpi("MPI_Bcast", mpi::MPI_Bcast(buffer, count, mpi::double(), 0, self.comm()))
        }
    }

    /// A number of each rank, at all of them.
    fn gather_lengths(&self, mine: usize) -> Result<Vec<usize>> {
        let mut lengths = vec![0u64; self.size()];
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
                self.comm(),
            )
        };
        check_mpi("MPI_Allgather", code)?;
        Ok(lengths.into_iter().map(|length| length as usize).collect())
    }

    /// What every rank gives, at all of them, in order of their numbers.
    pub fn gather(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        if self.size() == 1 {
            return vec![mine];
        }
        let _turn = turn::take();
        self.traffic.add(mine.len());
        self.must(self.gather_pieces(&mine))
    }

    fn gather_pieces(&self, mine: &[u8]) -> Result<Vec<Vec<u8>>> {
        let lengths = self.gather_lengths(mine.len())?;
        let piece = (self.piece / self.size()).max(1);
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
                    self.comm(),
                )
            };
            check_mpi("MPI_Allgatherv", code)?;
            hand_out(&mut all, &received, &counts);
        }
        Ok(all)
    }

    /// Sends `to[r]` to rank r; what each of them has sent here, in order of their numbers.
    pub fn exchange(&self, mut to: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        to.resize(self.size(), Vec::new());
        if self.size() == 1 {
            return to;
        }
        let _turn = turn::take();
        // What stays here takes no way.
        let kept = std::mem::take(&mut to[self.rank()]);
        self.traffic.add(to.iter().map(Vec::len).sum());
        let mut from = self.must(self.exchange_pieces(&to));
        from[self.rank()] = kept;
        from
    }

    fn exchange_pieces(&self, to: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
        let mine: Vec<u64> = to.iter().map(|part| part.len() as u64).collect();
        let mut theirs = vec![0u64; self.size()];
        // SAFETY: eight bytes go to each rank and come from each.
        let code = unsafe {
            mpi::MPI_Alltoall(
                mine.as_ptr().cast(),
                8,
                mpi::byte(),
                theirs.as_mut_ptr().cast(),
                8,
                mpi::byte(),
                self.comm(),
            )
        };
        check_mpi("MPI_Alltoall", code)?;
        // All must make as many rounds.
        let longest = to.iter().map(Vec::len).max().unwrap_or(0);
        let longest = self.gather_lengths(longest)?.into_iter().max().unwrap_or(0);
        let piece = (self.piece / self.size()).max(1);
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
                    self.comm(),
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
