"""Times another library on the points of a file, in a process of its own.

peer.py LIB METHOD FILE COLUMNS K REPEATS prints a line of JSON with the seconds of each repeat:
of the call that embeds alone, without imports and reading. `peer.py numpy gemm ROWSxINNERxCOLUMNS
0 0 REPEATS` times a product of f32 matrices instead.

Example: peer.py scikit-learn ltsa points.f64 3 12 3
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable

import numpy as np

Embed = Callable[[], object]
JOBS = os.cpu_count()
MEMORY_SHARE = 0.8


def tapkee(method: str, points: np.ndarray, k: int) -> Embed:
    """The C++ library, through its own Python package."""
    import tapkee

    name = {"lem": "laplacian_eigenmaps", "dfm": "diffusion_map"}.get(method, method)
    columns = np.asfortranarray(points.T)
    return lambda: tapkee.embed(
        columns, method=name, num_neighbors=k, target_dimension=2, neighbors_method="vptree"
    )


def scikit_learn(method: str, points: np.ndarray, k: int) -> Embed:
    """The estimators of sklearn.manifold and sklearn.decomposition."""
    from sklearn.decomposition import KernelPCA
    from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding

    def locally_linear(name: str) -> LocallyLinearEmbedding:
        return LocallyLinearEmbedding(n_neighbors=k, method=name, n_jobs=JOBS, random_state=0)

    if method.startswith("neighbors:"):
        return neighbors(method.removeprefix("neighbors:"), points, k)

    # A point is its own first neighbour in SpectralEmbedding, hence k + 1. The scale of the kernel
    # is ours, one over the total variance, so that both solve the same problem.
    makers = {
        "lem": lambda: SpectralEmbedding(
            affinity="nearest_neighbors", n_neighbors=k + 1, n_jobs=JOBS, random_state=0
        ),
        "lle": lambda: locally_linear("standard"),
        "hlle": lambda: locally_linear("hessian"),
        "ltsa": lambda: locally_linear("ltsa"),
        "isomap": lambda: Isomap(n_neighbors=k, n_jobs=JOBS),
        "kpca": lambda: KernelPCA(
            n_components=2, kernel="rbf", gamma=1 / points.var(axis=0).sum(), n_jobs=JOBS
        ),
    }
    maker = makers[method]
    return lambda: maker().fit_transform(points)


def neighbors(metric: str, points: np.ndarray, k: int) -> Embed:
    """The nearest others of every point, by whatever algorithm it chooses."""
    from sklearn.neighbors import NearestNeighbors

    name, _, p = metric.partition(":")
    power = {"p": float(p)} if p else {}
    return lambda: (
        NearestNeighbors(n_neighbors=k, metric=name, n_jobs=JOBS, **power).fit(points).kneighbors()
    )


def pydiffmap(method: str, points: np.ndarray, k: int) -> Embed:
    """Diffusion maps on the graph of the nearest neighbours, of which a point itself is one."""
    assert method == "dfm"
    from pydiffmap.diffusion_map import DiffusionMap

    # Its kernel is exp(-d^2 / (4 epsilon)), ours exp(-d^2 / epsilon).
    epsilon = kernel_scale(points, k) / 4
    return lambda: DiffusionMap.from_sklearn(
        alpha=1.0, k=k + 1, epsilon=epsilon, n_evecs=2, neighbor_params={"n_jobs": JOBS}
    ).fit_transform(points)


def datafold(method: str, points: np.ndarray, k: int) -> Embed:
    """Diffusion maps on the graph of all pairs nearer than a cut-off."""
    assert method == "dfm"
    from datafold.dynfold import DiffusionMaps
    from datafold.pcfold import GaussianKernel

    # Its kernel is exp(-d^2 / (2 epsilon)). One of its eigenvectors is the constant.
    epsilon, cut_off = kernel_scale(points, k) / 2, connecting_distance(points, k)
    return lambda: DiffusionMaps(
        GaussianKernel(epsilon=epsilon, distance={"cut_off": cut_off}),
        n_eigenpairs=3,
        time_exponent=1,
    ).fit_transform(points)


def kernel_scale(points: np.ndarray, k: int) -> float:
    """The median squared distance of neighbours, which our side finds itself, within its time."""
    from scipy.spatial import cKDTree

    distances, _ = cKDTree(points).query(points, k + 1)
    return float(np.median(distances[:, 1:]) ** 2)


def connecting_distance(points: np.ndarray, k: int) -> float:
    """A cut-off that gives a point k neighbours on the median and leaves the graph in one piece."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial import cKDTree

    n = len(points)
    distances, neighbors = cKDTree(points).query(points, k + 1)
    rows = np.repeat(np.arange(n), k)
    graph = csr_matrix((distances[:, 1:].ravel(), (rows, neighbors[:, 1:].ravel())), (n, n))
    longest = minimum_spanning_tree(graph).data.max()
    return float(max(np.median(distances[:, k]), 1.001 * longest))


def product(shape: str) -> Embed:
    """What the machine's matrix multiplication reaches."""
    rows, inner, columns = (int(size) for size in shape.split("x"))
    random = np.random.default_rng(0)
    a = random.random((rows, inner), dtype=np.float32)
    b = random.random((inner, columns), dtype=np.float32)
    result = np.empty((rows, columns), dtype=np.float32)
    return lambda: np.matmul(a, b, out=result)


def limit_memory() -> None:
    """A peer that asks for too much gets an error instead of taking the machine down."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    most = int(MEMORY_SHARE * physical)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main() -> None:
    """Prepares the call, then times it."""
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    library, method, file, columns, k, repeats = sys.argv[1:]
    limit_memory()
    try:
        if library == "numpy":
            embed = product(file)
        else:
            points = np.fromfile(file, dtype="<f8").reshape(-1, int(columns))
            embed = LIBRARIES[library](method, points, int(k))
        for _ in range(int(repeats)):
            start = time.perf_counter()
            embed()
            print(json.dumps({"seconds": time.perf_counter() - start}), flush=True)
    except Exception as error:
        # The name of the error is for the table; the rest of it is for whoever looks closer.
        print(json.dumps({"error": type(error).__name__}), flush=True)
        raise


LIBRARIES: dict[str, Callable[[str, np.ndarray, int], Embed]] = {
    "tapkee": tapkee,
    "scikit-learn": scikit_learn,
    "pydiffmap": pydiffmap,
    "datafold": datafold,
}

if __name__ == "__main__":
    main()
