"""The methods that a graph of neighbours is enough for: further metrics, radii, sparse points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse
from scipy.sparse.csgraph import shortest_path

from ._arguments import MOVING, solver_of
from ._base import SpectralEmbedder
from ._input import Input
from ._kernels import symmetric
from ._neighbors import Neighbors, core_metric
from .typing import Metric

#: What `affinity` can be, and what X is then.
AFFINITIES = {
    "nearest_neighbors": "points",
    "precomputed": "affinities",
    "precomputed_nearest_neighbors": "distances",
}

#: So many points are embedded by all eigenvectors, whatever the matrix.
FEW = 100

#: Affinities of both directions that differ by less than this share of the largest are the same.
ROUNDING = 1e-6


def one_of(name: str, value: Any, kinds: dict[str, str]) -> str:
    """What a word means, or an error that names those there are."""
    if not isinstance(value, str) or value not in kinds:
        raise ValueError(f"{name} = {value!r} is out of range: it must be {', '.join(kinds)}")
    return kinds[value]


@dataclass(eq=False, repr=False, kw_only=True)
class GraphEmbedder(SpectralEmbedder):
    """A method that takes a graph of neighbours as well as points."""

    radius: float | None = None
    metric: Metric = "euclidean"
    p: float = 2
    metric_params: dict[str, Any] | None = None

    def _no_new_points(self) -> str | None:
        if self._kind() == "affinities":
            return "affinities cannot be extended to new points: nobody knows their neighbours"
        return super()._no_new_points()

    def _takes_sparse(self, reset: bool) -> bool:
        kind = self._kind()
        if kind == "points":
            return self.strategy not in MOVING
        return kind == "distances" or reset

    def _core_takes(self, X: Any) -> bool:
        """Whether the core searches the neighbours of these points."""
        known = core_metric(self.metric, self.p, self.metric_params) is not None
        return self._kind() == "points" and self.radius is None and known and not issparse(X)

    def _parameters(self, seed: int | None = None) -> dict[str, Any]:
        metric = core_metric(self.metric, self.p, self.metric_params)
        points = self._kind() == "points" and self.radius is None
        own = metric if points and metric is not None else "euclidean"
        return {**super()._parameters(seed), "metric": own}

    def _searched_here(self, X: Any) -> bool:
        """Whether the neighbours of X are searched in Python."""
        kind = self._kind()
        if kind == "points":
            return not self._core_takes(X)
        return kind == "distances" and self.radius is not None

    def _input(self, X: Any) -> Input:
        #: The search for neighbours, if it was not the core's.
        self._search: Neighbors | None = None
        if not self._searched_here(X):
            kind = self._kind()
            counts = kind == "points" or (kind == "distances" and not issparse(X))
            changed, told = self._reduced(X.shape[0]) if counts else ({}, [])
            if kind == "affinities" and is_directed(X):
                X = symmetric(X)
                told.append("the affinities are not symmetric: the mean of both directions counts")
            if kind == "affinities":
                changed |= self._solver_of(X)
            return Input(X, kind, self._core(), changed, told)
        return self._of_graph(X)

    def _solver_of(self, W: Any) -> dict[str, Any]:
        """The solver that suits affinities, where the core is not left to choose it.

        A factor, or levels, of a matrix that is nearly full cost more than products with it.
        """
        points, entries = W.shape[0], W.nnz if issparse(W) else np.count_nonzero(W)
        free = solver_of(self.eigen_solver)[0] == "auto"
        return (
            {"eigen_solver": "lanczos"} if free and points > FEW and 2 * entries > points**2 else {}
        )

    def _of_graph(self, X: Any) -> Input:
        """Of the graph of neighbours that is made here."""
        if self.radius is not None and not self.radius > 0:
            raise ValueError(f"radius = {self.radius} is out of range: it must be above 0")
        changed, told = ({}, []) if self.radius is not None else self._reduced(X.shape[0])
        given = self._kind() == "distances"
        search = Neighbors(
            changed.get("n_neighbors", self.n_neighbors),
            self.radius,
            "precomputed" if given else self.metric,
            self.p,
            None if given else self.metric_params,
            self.n_jobs,
            self._algorithm(),
        )
        graph = search.fit(X, self.components)
        self._search, self._lengths = search, graph
        most = int(np.diff(graph.indptr).max(initial=1))
        told += search.told
        # The distances are there: the core needs no metric any more.
        given_now = {"n_neighbors": max(most, 1), "metric": "euclidean"}
        return Input(graph, "distances", self._core(), given_now, told)

    def _algorithm(self) -> str:
        """How ``NearestNeighbors`` searches."""
        return "auto"

    def _new_points(self, X: Any) -> Any:
        search = getattr(self, "_search", None)
        if search is None:
            return Input(X, "", "").parts
        return Input(search.of_new(X), "", "").parts

    def _trained(self) -> tuple[np.ndarray, np.ndarray] | None:
        search = getattr(self, "_search", None)
        if search is None:
            return super()._trained()
        points = search.found._fit_X
        if self._kind() != "points" or issparse(points):
            return None
        there = ~np.isnan(self.embedding_).any(axis=1)
        return np.asarray(points)[there], self.embedding_[there].astype(float)

    @property
    def nbrs_(self) -> Any:
        """The search for neighbours, where they were searched in Python."""
        search = getattr(self, "_search", None)
        if search is None:
            raise AttributeError("nbrs_: the core searched the neighbours, and keeps none")
        return search.found


def is_directed(W: Any) -> bool:
    """Whether a matrix differs from its mirror image by more than rounding."""
    # A copy: scipy sums entries that occur twice in place, and the matrix is the caller's.
    W = W.copy()
    return bool(abs(W - W.T).max() > ROUNDING * abs(W).max())


def geodesics(graph: csr_matrix, method: str = "D") -> np.ndarray:
    """The lengths of the shortest paths between all points."""
    return shortest_path(graph, method=method, directed=False)
