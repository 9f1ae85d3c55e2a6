"""Non-redundant Laplacian eigenmaps as the paper describes them, in plain NumPy and SciPy.

plain.py FILE COLUMNS K DIMS ALPHA OUT embeds the points of a file, writes the coordinates one
after another to OUT and prints a line of JSON with the seconds, without imports and reading.

The smoother is a dense matrix in single precision, its singular vectors come from randomised
subspace iteration, the coordinates from ARPACK.

Example: plain.py points.f64 784 10 11 0.4 coordinates.f64
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from scipy.sparse import csr_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh

TRUNCATION = 0.03
POWERS = 4
ROWS = 1000


def neighbour_graph(points: np.ndarray, k: int) -> csr_array:
    """Who is among the k nearest of the other; one component, or this rendering is not enough."""
    n = len(points)
    points = (points - points.mean(axis=0)).astype(np.float32)
    squares = np.einsum("ij,ij->i", points, points)
    near = np.empty((n, k), dtype=np.int64)
    for start in range(0, n, ROWS):
        rows = np.arange(start, min(start + ROWS, n))
        distances = squares - 2 * points[rows] @ points.T
        distances[np.arange(len(rows)), rows] = np.inf
        near[rows] = np.argpartition(distances, k, axis=1)[:, :k]
    entries = np.ones(n * k), (np.repeat(np.arange(n), k), near.ravel())
    graph = csr_array(entries, shape=(n, n))
    graph = graph.maximum(graph.T).tocsr()
    assert connected_components(graph, directed=False)[0] == 1, "the graph is in pieces"
    return graph


def smoother(earlier: np.ndarray, alpha: float) -> np.ndarray:
    """Nadaraya-Watson weights of the rows of `earlier`."""
    h = alpha * np.sqrt((earlier**2).sum() / len(earlier))
    rows = (earlier / (np.sqrt(2) * h)).astype(np.float32)
    squares = np.einsum("ij,ij->i", rows, rows)
    weights = rows @ rows.T
    weights *= 2
    weights -= squares[:, None]
    weights -= squares
    np.minimum(weights, 0, out=weights)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def right_singular_vectors(matrix: np.ndarray, guess: int) -> np.ndarray:
    """Those above the truncation, by randomised subspace iteration; wider until they are there."""
    random = np.random.default_rng(0)
    width = guess
    while True:
        basis = random.standard_normal((len(matrix), width), dtype=np.float32)
        basis = np.linalg.qr(matrix.T @ basis)[0]
        for _ in range(POWERS):
            basis = np.linalg.qr(matrix.T @ (matrix @ basis))[0]
        _, values, right = np.linalg.svd(matrix @ basis, full_matrices=False)
        if values[-1] <= 0.5 * TRUNCATION * values[0]:
            return basis @ right[values > TRUNCATION * values[0]].T
        width *= 2


def constrained(matrix: csr_array, basis: np.ndarray) -> np.ndarray:
    """The top eigenvector of (I - VV') A (I - VV')."""

    def project(x: np.ndarray) -> np.ndarray:
        return x - basis @ (basis.T @ x)

    size = matrix.shape[0]
    operator = LinearOperator((size, size), matvec=lambda x: project(matrix @ project(x)))
    start = np.random.default_rng(1).standard_normal(size)
    _, vectors = eigsh(operator, k=1, which="LA", v0=project(start), tol=1e-8)
    return vectors[:, 0]


def embed(points: np.ndarray, k: int, dims: int, alpha: float) -> np.ndarray:
    """The coordinates, a column each."""
    graph = neighbour_graph(points, k)
    degrees = graph.sum(axis=1)
    scale = 1 / np.sqrt(degrees)
    matrix = (diags_array(scale) @ graph @ diags_array(scale)).tocsr()
    trivial = np.sqrt(degrees)[:, None] / np.sqrt(degrees.sum())
    basis, guess = trivial, 32
    coordinates = np.empty((len(points), 0))
    for _ in range(dims):
        if coordinates.shape[1]:
            weights = smoother(coordinates, alpha)
            weights *= scale.astype(np.float32)
            vectors = right_singular_vectors(weights, guess)
            guess = 2 * vectors.shape[1] + 16
            basis = np.linalg.qr(np.column_stack([trivial, vectors.astype(np.float64)]))[0]
        f = scale * constrained(matrix, basis)
        coordinates = np.column_stack([coordinates, f / np.linalg.norm(f)])
    return coordinates


def main() -> None:
    """Reads, embeds, writes."""
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    file, columns, k, dims, alpha, out = sys.argv[1:]
    points = np.fromfile(file, dtype="<f8").reshape(-1, int(columns))
    start = time.perf_counter()
    coordinates = embed(points, int(k), int(dims), float(alpha))
    seconds = time.perf_counter() - start
    coordinates.T.astype("<f8").tofile(out)
    print(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main()
