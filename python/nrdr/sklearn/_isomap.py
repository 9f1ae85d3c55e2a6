"""Isomap with scikit-learn's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from .._estimators import Isomap as Ours
from .._graphs import geodesics
from ..typing import Strategy
from ._shim import Shim, fitted

if TYPE_CHECKING:
    from typing_extensions import Self

#: Methods of `scipy.sparse.csgraph.shortest_path`; the core has its own.
PATH_METHODS = ("auto", "FW", "D")


class Searching(Ours):
    """Isomap on neighbours that scikit-learn searched, so that ties are broken as there."""

    search_algorithm = "auto"

    def _core_takes(self, X: Any) -> bool:
        return False

    def _searched_here(self, X: Any) -> bool:
        return True

    def _algorithm(self) -> str:
        return self.search_algorithm


class Isomap(Shim):
    """``sklearn.manifold.Isomap`` on our core.

    Parameters
    ----------
    n_neighbors : int or None, default=5
        Number of nearest neighbours; None where there is a ``radius``.
    radius : float or None, default=None
        Neighbours are all points within this distance.
    n_components : int, default=2
        Number of coordinates.
    eigen_solver : {"auto", "arpack", "dense"}, default="auto"
        "dense" is the core's; with the other words it chooses.
    tol : float, default=0
        Not used: the core's tolerance is 1e-8.
    max_iter : int, default=None
        Not used.
    path_method : {"auto", "FW", "D"}, default="auto"
        How ``dist_matrix_`` is computed; the embedding comes from the core's own paths.
    neighbors_algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        How neighbours are searched.
    n_jobs : int or None, default=None
        Number of threads; None means all cores. The result does not depend on it.
    metric : str or callable, default="minkowski"
        The distance of points, or "precomputed".
    p : float, default=2
        Power of the metric "minkowski".
    metric_params : dict, default=None
        Further parameters of the metric.
    strategy : str, default="orthogonal"
        What a coordinate owes to the earlier ones; see ``nrdr.Isomap``.
    strategy_params : dict, default=None
        Parameters of the strategy.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates, of the length that Isomap gives them.
    dist_matrix_ : ndarray of shape (n_samples, n_samples)
        The lengths of the shortest paths, computed when they are first asked for.
    nbrs_ : sklearn.neighbors.NearestNeighbors
        The search for neighbours.
    estimator_ : nrdr.Isomap
        The estimator of ours that was fitted.

    Examples
    --------
    >>> from nrdr.sklearn import Isomap
    >>> from sklearn.datasets import load_digits
    >>> X, _ = load_digits(return_X_y=True)
    >>> Isomap(n_components=2).fit_transform(X[:100]).shape
    (100, 2)
    """

    def __init__(
        self,
        *,
        n_neighbors: int | None = 5,
        radius: float | None = None,
        n_components: int = 2,
        eigen_solver: str = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        path_method: str = "auto",
        neighbors_algorithm: str = "auto",
        n_jobs: int | None = None,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        strategy: Strategy = "orthogonal",
        strategy_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.n_components = n_components
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.path_method = path_method
        self.neighbors_algorithm = neighbors_algorithm
        self.n_jobs = n_jobs
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.strategy = strategy
        self.strategy_params = strategy_params

    def _fit(self, X: Any) -> Self:
        if self.n_neighbors is not None and self.radius is not None:
            raise ValueError(
                f"Both n_neighbors and radius are provided ({self.n_neighbors}, {self.radius}): "
                "set one of them to None"
            )
        if self.path_method not in PATH_METHODS:
            raise ValueError(
                f"path_method = {self.path_method!r} is out of range: it must be "
                f"{', '.join(PATH_METHODS)}"
            )
        ours = self._ours(
            Searching,
            n_components=self.n_components,
            n_neighbors=10 if self.n_neighbors is None else self.n_neighbors,
            radius=self.radius,
            metric=self.metric,
            p=self.p,
            metric_params=self.metric_params,
            eigen_solver=self.eigen_solver,
            n_jobs=self.n_jobs,
        )
        ours.search_algorithm = self.neighbors_algorithm
        if issparse(X) and self._given():
            # As scikit-learn does: nothing tells how far the components of a graph are apart.
            ours.components = "error"
        ours = fitted(ours, X)
        self._take_over(ours)
        self.embedding_ = scaled(ours.embedding_, ours)
        self._paths: np.ndarray | None = None
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Returns the coordinates of new points.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New points, or their distances from those of the fit.

        Returns
        -------
        embedding : ndarray of shape (n_new, n_components)
            Their coordinates.
        """
        check_is_fitted(self)
        return scaled(np.asarray(self.estimator_.transform(X)), self.estimator_)

    def reconstruction_error(self) -> float:
        """Returns how far the embedding is from the lengths of the shortest paths.

        Returns
        -------
        error : float
            As ``sklearn.manifold.Isomap`` defines it.
        """
        check_is_fitted(self)
        return self.estimator_.reconstruction_error()

    def _given(self) -> bool:
        """Whether X is distances."""
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def dist_matrix_(self) -> np.ndarray:
        """The lengths of the shortest paths."""
        check_is_fitted(self)
        if self._paths is None:
            paths = geodesics(self.estimator_._lengths, self.path_method)
            self._paths = paths.astype(self.embedding_.dtype)
        return self._paths

    @property
    def nbrs_(self) -> Any:
        """The search for neighbours."""
        check_is_fitted(self)
        return self.estimator_.nbrs_

    def __sklearn_tags__(self) -> Tags:
        """What scikit-learn may expect."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.positive_only = self._given()
        tags.input_tags.sparse = True
        return tags


def scaled(embedding: np.ndarray, ours: Ours) -> np.ndarray:
    """With the lengths that Isomap gives coordinates, in the precision that they came in."""
    return (embedding * ours.lengths_).astype(embedding.dtype, copy=False)
