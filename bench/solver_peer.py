"""Solves the eigenproblem of a matrix in a file by ARPACK or AMG, as scikit-learn does.

usage: solver_peer.py arpack|amg FILE largest|smallest COUNT TOLERANCE
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import eigsh, lobpcg


def read(path: Path) -> csr_array:
    """The matrix that the driver `solvers` writes."""
    raw = path.read_bytes()
    n, entries = np.frombuffer(raw, "<u8", 2)
    n, entries = int(n), int(entries)
    offsets = np.frombuffer(raw, "<u8", n + 1, 16)
    columns = np.frombuffer(raw, "<u4", entries, 16 + 8 * (n + 1))
    values = np.frombuffer(raw, "<f8", entries, 16 + 8 * (n + 1) + 4 * entries)
    return csr_array((values, columns.astype(np.int32), offsets.astype(np.int32)), shape=(n, n))


def residual(matrix: csr_array, vectors: np.ndarray, norm: float) -> float:
    """The largest, relative to the norm."""
    image = matrix @ vectors
    values = np.sum(vectors * image, axis=0)
    return float(np.max(np.linalg.norm(image - vectors * values, axis=0)) / norm)


def main() -> None:
    """Loosest first: the first tolerance that leads to the residual counts."""
    name, path, end, count, wanted = sys.argv[1:]
    count, wanted = int(count), float(wanted)
    matrix = read(Path(path))
    if end == "largest":
        matrix = csr_array(eye_array(matrix.shape[0], format="csr") - matrix)
    norm = float(abs(matrix).sum(axis=1).max())
    start_vector = np.random.default_rng(0).uniform(-1, 1, matrix.shape[0])
    for tolerance in [1e-3, 1e-5, 1e-7, 1e-9]:
        start = time.process_time()
        if name == "arpack":
            # As in scikit-learn, which shifts the smallest end of a Laplacian by a little.
            sigma = 1e-5 if end == "largest" else 0.0
            shifted = (-matrix, sigma) if end == "largest" else (matrix, sigma)
            _, vectors = eigsh(
                shifted[0], count + 1, sigma=shifted[1], which="LM", tol=tolerance, v0=start_vector
            )
        else:
            from pyamg import smoothed_aggregation_solver

            positive = csr_array(matrix + 1e-10 * eye_array(matrix.shape[0], format="csr"))
            levels = smoothed_aggregation_solver(positive.tocsr())
            block = np.random.default_rng(0).standard_normal((matrix.shape[0], count + 2))
            _, vectors = lobpcg(
                positive,
                block,
                M=levels.aspreconditioner(),
                tol=tolerance,
                largest=False,
                maxiter=200,
            )
            vectors = vectors[:, : count + 1]
        seconds = time.process_time() - start
        reached = residual(matrix, vectors, norm)
        if reached <= wanted:
            break
    print(json.dumps({"seconds": seconds, "residual": reached}))


if __name__ == "__main__":
    main()
