"""Spectral embedding with scikit-learn's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import NearestNeighbors, kneighbors_graph
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from .._estimators import LaplacianEigenmaps
from .._kernels import without_diagonal
from ..typing import Strategy
from ._shim import Shim, fitted

if TYPE_CHECKING:
    from typing_extensions import Self

AFFINITIES = ("nearest_neighbors", "rbf", "precomputed", "precomputed_nearest_neighbors")


class SpectralEmbedding(Shim):
    """``sklearn.manifold.SpectralEmbedding`` on our core.

    Like scikit-learn's it has no ``transform``: ``nrdr.LaplacianEigenmaps`` has.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates.
    affinity : {"nearest_neighbors", "rbf", "precomputed", "precomputed_nearest_neighbors"} or \
callable, default="nearest_neighbors"
        How the affinities are made, or what ``X`` is.
    gamma : float, default=None
        Scale of "rbf"; one over the number of columns by default.
    random_state : int, RandomState or None, default=None
        Start of the random numbers, on which the result depends only within the tolerance.
    eigen_solver : {"arpack", "lobpcg", "amg", "dense"}, default=None
        "dense" is the core's; with the other words it chooses.
    eigen_tol : float or "auto", default="auto"
        Not used: the core's tolerance is 1e-8.
    n_neighbors : int, default=None
        Number of nearest neighbours, the point itself among them; a tenth of the points by
        default, at least 2.
    n_jobs : int or None, default=None
        Number of threads; None means all cores. The result does not depend on it.
    strategy : str, default="orthogonal"
        What a coordinate owes to the earlier ones; see ``nrdr.LaplacianEigenmaps``.
    strategy_params : dict, default=None
        Parameters of the strategy.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates. Weighed by the degrees of the points, each has unit length.
    affinity_matrix_ : ndarray or sparse matrix of shape (n_samples, n_samples)
        The affinities.
    n_neighbors_ : int
        Number of nearest neighbours used.
    gamma_ : float
        The scale of "rbf".
    estimator_ : nrdr.LaplacianEigenmaps
        The estimator of ours that was fitted to the affinities.

    Examples
    --------
    >>> from nrdr.sklearn import SpectralEmbedding
    >>> from sklearn.datasets import load_digits
    >>> X, _ = load_digits(return_X_y=True)
    >>> SpectralEmbedding(n_components=2).fit_transform(X[:100]).shape
    (100, 2)
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        affinity: Any = "nearest_neighbors",
        gamma: float | None = None,
        random_state: Any = None,
        eigen_solver: str | None = None,
        eigen_tol: float | str = "auto",
        n_neighbors: int | None = None,
        n_jobs: int | None = None,
        strategy: Strategy = "orthogonal",
        strategy_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_components = n_components
        self.affinity = affinity
        self.gamma = gamma
        self.random_state = random_state
        self.eigen_solver = eigen_solver
        self.eigen_tol = eigen_tol
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs
        self.strategy = strategy
        self.strategy_params = strategy_params

    def _fit(self, X: Any) -> Self:
        X = validate_data(
            self, X, accept_sparse="csr", ensure_min_samples=2, dtype=(np.float64, np.float32)
        )
        affinities = self._affinities(X)
        graph = without_diagonal(affinities).astype(float)
        ours = self._ours(
            LaplacianEigenmaps,
            n_components=self.n_components,
            affinity="precomputed",
            random_state=self.random_state,
            eigen_solver="auto" if self.eigen_solver is None else self.eigen_solver,
            n_jobs=self.n_jobs,
        )
        ours = fitted(ours, graph)
        self.affinity_matrix_ = affinities
        self.estimator_ = ours
        embedding = by_degrees(ours.embedding_, graph)
        self.embedding_ = embedding.astype(X.dtype, copy=False)
        return self

    def _affinities(self, X: Any) -> Any:
        """The affinities of valid X, as scikit-learn makes them."""
        if callable(self.affinity):
            return self.affinity(X)
        if self.affinity == "precomputed":
            return X
        if self.affinity == "rbf":
            self.gamma_ = 1 / X.shape[1] if self.gamma is None else self.gamma
            return rbf_kernel(X, gamma=self.gamma_)
        if self.affinity not in AFFINITIES:
            raise ValueError(
                f"affinity = {self.affinity!r} is out of range: it must be {', '.join(AFFINITIES)}"
            )
        points = X.shape[0]
        # With one, itself, a point would be joined to none.
        tenth = max(points // 10, 2)
        self.n_neighbors_ = tenth if self.n_neighbors is None else self.n_neighbors
        if self.affinity == "precomputed_nearest_neighbors":
            search = NearestNeighbors(
                n_neighbors=self.n_neighbors_, n_jobs=self.n_jobs, metric="precomputed"
            )
            graph = search.fit(X).kneighbors_graph(X, mode="connectivity")
        else:
            graph = kneighbors_graph(X, self.n_neighbors_, include_self=True, n_jobs=self.n_jobs)
        return 0.5 * (graph + graph.T)

    def __sklearn_tags__(self) -> Tags:
        """What scikit-learn may expect."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = not callable(self.affinity) and "precomputed" in self.affinity
        return tags


def by_degrees(embedding: np.ndarray, graph: Any) -> np.ndarray:
    """With unit length of each coordinate when points are weighed by their degrees."""
    degrees = np.asarray(graph.sum(axis=0)).ravel()
    if not issparse(graph):
        degrees = degrees.astype(float)
    there = ~np.isnan(embedding).any(axis=1)
    return embedding / np.sqrt(degrees[there] @ embedding[there] ** 2)
