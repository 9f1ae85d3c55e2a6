"""Locally linear embedding and its relatives with scikit-learn's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted

from .. import _estimators as ours
from ..typing import Strategy
from ._shim import Shim, fitted

if TYPE_CHECKING:
    from typing_extensions import Self

METHODS = ("standard", "hessian", "modified", "ltsa")


class LocallyLinearEmbedding(Shim):
    """``sklearn.manifold.LocallyLinearEmbedding`` on our core.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest neighbours.
    n_components : int, default=2
        Number of coordinates, and of dimensions of the tangent spaces.
    reg : float, default=1e-3
        Regularisation of the weights, for "standard" and "modified".
    eigen_solver : {"auto", "arpack", "dense"}, default="auto"
        "dense" is the core's; with the other words it chooses.
    tol : float, default=1e-6
        Not used: the core's tolerance is 1e-8.
    max_iter : int, default=100
        Not used.
    method : {"standard", "hessian", "modified", "ltsa"}, default="standard"
        Which method.
    hessian_tol : float, default=1e-4
        Not used.
    modified_tol : float, default=1e-12
        Not used.
    neighbors_algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        How ``nbrs_`` searches; the core searches by itself.
    random_state : int, RandomState or None, default=None
        Start of the random numbers, on which the result depends only within the tolerance.
    n_jobs : int or None, default=None
        Number of threads; None means all cores. The result does not depend on it.
    strategy : str, default="orthogonal"
        What a coordinate owes to the earlier ones; see ``nrdr.LocallyLinearEmbedding``.
    strategy_params : dict, default=None
        Parameters of the strategy.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates, of unit length.
    reconstruction_error_ : float
        The sum of the eigenvalues.
    nbrs_ : sklearn.neighbors.NearestNeighbors
        A search for neighbours among the points of the fit.
    estimator_ : SpectralEmbedder
        The estimator of ours that was fitted.

    Examples
    --------
    >>> from nrdr.sklearn import LocallyLinearEmbedding
    >>> from sklearn.datasets import load_digits
    >>> X, _ = load_digits(return_X_y=True)
    >>> LocallyLinearEmbedding(method="ltsa", n_neighbors=10).fit_transform(X[:100]).shape
    (100, 2)
    """

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        n_components: int = 2,
        reg: float = 1e-3,
        eigen_solver: str = "auto",
        tol: float = 1e-6,
        max_iter: int = 100,
        method: str = "standard",
        hessian_tol: float = 1e-4,
        modified_tol: float = 1e-12,
        neighbors_algorithm: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        strategy: Strategy = "orthogonal",
        strategy_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.reg = reg
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.hessian_tol = hessian_tol
        self.modified_tol = modified_tol
        self.neighbors_algorithm = neighbors_algorithm
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.strategy = strategy
        self.strategy_params = strategy_params

    def _fit(self, X: Any) -> Self:
        kind, own = self._method()
        found = self._ours(
            kind,
            n_components=self.n_components,
            n_neighbors=self.n_neighbors,
            eigen_solver=self.eigen_solver,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            **own,
        )
        found = fitted(found, X)
        self._take_over(found)
        self.embedding_ = found.embedding_
        search = NearestNeighbors(
            n_neighbors=min(self.n_neighbors, len(self.embedding_) - 1),
            algorithm=self.neighbors_algorithm,
            n_jobs=self.n_jobs,
        )
        self.nbrs_ = search.fit(np.asarray(X, dtype=self.embedding_.dtype))
        return self

    def _method(self) -> tuple[Any, dict[str, Any]]:
        """The estimator of ours that is meant, and its own parameters."""
        if self.method == "standard":
            return ours.LocallyLinearEmbedding, {"reg": self.reg}
        if self.method == "hessian":
            return ours.HessianEigenmaps, {"local_dim": self.n_components}
        if self.method == "modified":
            return ours.ModifiedLLE, {"reg": self.reg, "local_dim": self.n_components}
        if self.method == "ltsa":
            return ours.LTSA, {"local_dim": self.n_components}
        raise ValueError(
            f"method = {self.method!r} is out of range: it must be {', '.join(METHODS)}"
        )

    @property
    def reconstruction_error_(self) -> float:
        """The sum of the eigenvalues."""
        check_is_fitted(self)
        return float(self.estimator_.eigenvalues_.sum())

    def transform(self, X: Any) -> np.ndarray:
        """Returns the coordinates of new points.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New points.

        Returns
        -------
        embedding : ndarray of shape (n_new, n_components)
            Their coordinates.
        """
        check_is_fitted(self)
        return np.asarray(self.estimator_.transform(X))
