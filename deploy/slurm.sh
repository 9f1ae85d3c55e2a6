#!/bin/bash
# A run of nrdr-mpi on a Slurm cluster: `sbatch deploy/slurm.sh`. Change what stands in capitals.
#
# The points, the results and the checkpoint must lie on a file system that all nodes share (Lustre, GPFS, NFS, ..).

#SBATCH --job-name=nrdr
# One process a core pair works well: the solver is bound by memory, and each process has its own rows.
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=2
# What a process may take; docs/cluster.md tells how much a point needs.
#SBATCH --mem-per-cpu=4G
#SBATCH --time=04:00:00
# A job that is ended, by its time or by a node that fails, is queued again, and goes on from the checkpoint.
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=nrdr-%j.log

set -euo pipefail

POINTS=/SHARED/points
OUT=/SHARED/out
KEPT=/SHARED/kept

# Load the MPI that nrdr-mpi was built with, for instance:
# module load openmpi slepc

# Libraries below that have threads of their own would take the cores of other processes.
export OMP_NUM_THREADS=1

# The same command on another number of processes goes on from the same checkpoint. A process that is killed must end all others:
# srun waits for them otherwise.
srun --kill-on-bad-exit=1 nrdr-mpi embed "$POINTS" \
    --method lem --neighbors 10 --dims 3 \
    --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --out "$OUT" --checkpoint "$KEPT" --json "$OUT.json"

# The page is made by one process, from the sample in the folder.
nrdr report "$OUT" --out "$OUT.html"

# Only now: the checkpoint is of no more use.
rm -r "$KEPT"
