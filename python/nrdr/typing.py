"""The words that parameters can be: type checkers refuse a misspelt one.

They are plain strings when Python runs, and what a word means is known to the core alone;
``python/tests/test_types.py`` compares these lists with what it accepts.

Examples
--------
>>> import nrdr
>>> from nrdr.typing import Strategy
>>> def second(X, strategy: Strategy):
...     return nrdr.LTSA(strategy=strategy).fit(X).redundancy_[1]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypedDict

from numpy.random import RandomState

#: What a coordinate owes to the earlier ones.
Strategy: TypeAlias = Literal[
    "priced",
    "unpredictable",
    "orthogonal",
    "selection",
    "independent",
    "regression",
    "advection",
]
#: How earlier coordinates predict.
Smoother: TypeAlias = Literal["nw", "local-linear"]
#: How neighbours are searched.
Search: TypeAlias = Literal["auto", "exact", "approximate"]
#: What happens when the graph falls apart.
Components: TypeAlias = Literal["connect", "largest", "error"]
#: How eigenvectors are computed; the last four are scikit-learn's words, and count as "auto".
EigenSolver: TypeAlias = Literal[
    "auto",
    "dense",
    "lanczos",
    "shift-invert",
    "multigrid",
    "arpack",
    "lobpcg",
    "amg",
    "randomized",
]
#: What ``X`` is for ``DiffusionMaps``,
GraphAffinity: TypeAlias = Literal[
    "nearest_neighbors", "precomputed", "precomputed_nearest_neighbors"
]
#: and for ``LaplacianEigenmaps``, where it may also be a function of the points.
Affinity: TypeAlias = Literal[
    "nearest_neighbors", "precomputed", "precomputed_nearest_neighbors", "rbf"
]
#: Distances: a word of ``sklearn.neighbors``, "precomputed", or a function of two points.
Metric: TypeAlias = str | Callable[..., float]
#: Weights of the edges of ``LaplacianEigenmaps``.
Weights: TypeAlias = Literal["binary", "heat"]
#: The kernel of ``KernelPCA``, which may also be a function of two points.
Kernel: TypeAlias = Literal[
    "rbf",
    "poly",
    "cosine",
    "sigmoid",
    "linear",
    "precomputed",
    "additive_chi2",
    "chi2",
    "laplacian",
    "polynomial",
]
#: Which eigenvalues ``Precomputed`` wants.
End: TypeAlias = Literal["largest", "smallest"]
#: The length of a coordinate of ``Precomputed``.
Length: TypeAlias = Literal["one", "root"]
#: How far the points reach that predict a value, for ``redundancy``.
Bandwidth: TypeAlias = Literal["best", "median-third", "datafold"]
#: A method by the name that the command line has for it.
Method: TypeAlias = Literal[
    "lem", "dfm", "lle", "mlle", "hlle", "ltsa", "isomap", "kpca", "precomputed"
]
#: What draws pictures.
Backend: TypeAlias = Literal["matplotlib", "plotly"]
#: What is found out by itself.
Auto: TypeAlias = Literal["auto"]
#: Start of random numbers.
Seed: TypeAlias = int | RandomState | None


class Parameters(TypedDict, total=False):
    """What estimators take beside ``n_components``, for functions that pass it on."""

    n_neighbors: int
    strategy: Strategy
    mu: float | None
    pool: int | None
    thrift: float | None
    depth: int | None
    alpha: float | Auto
    smoother: Smoother
    candidates: int | None
    zeta: float | None
    intrinsic_dim: int | None
    search: Search
    recall: float
    components: Components
    eigen_solver: EigenSolver
    tol: float
    max_iter: int
    random_state: Seed
    n_jobs: int | None
    memory: int | str | None
    verbose: bool
    # Of single methods.
    affinity: Affinity | Callable[[Any], Any]
    weights: Weights | None
    sigma: float | None
    epsilon: float | None
    density: float
    time: float
    reg: float
    local_dim: int | None
    radius: float | None
    metric: Metric
    p: float
    metric_params: dict[str, Any] | None
    landmarks: int | None
    kernel: Kernel | Callable[..., Any]
    kernel_params: dict[str, Any] | None
    ridge: float
    gamma: float | None
    degree: int
    coef0: float
    rank: int | None
    end: End
    scale: Any
    trivial: Any
    bound: float | None
    length: Length
