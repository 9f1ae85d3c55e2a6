"""Neighbours that the core does not search: within a radius, by further metrics, sparse points."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array, csr_matrix, issparse
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import pairwise_distances_argmin_min
from sklearn.neighbors import NearestNeighbors

#: The metrics of the core by scikit-learn's names for them.
METRICS = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "manhattan": "manhattan",
    "l1": "manhattan",
    "cityblock": "manhattan",
    "cosine": "cosine",
    "correlation": "correlation",
    "hamming": "hamming",
    "haversine": "haversine",
    "chebyshev": "chebyshev",
}


def core_metric(metric: Any, p: Any, metric_params: dict[str, Any] | None) -> str | None:
    """The core's word for distances that it computes by itself; None for others."""
    if metric_params or not isinstance(metric, str):
        return None
    if metric != "minkowski":
        return METRICS.get(metric)
    # What is no power scikit-learn tells.
    if not isinstance(p, Real) or not float(p) >= 1:
        return None
    return "chebyshev" if p == np.inf else f"minkowski:{float(p)!r}"


def named(metric: str) -> dict[str, Any]:
    """The parameters of an estimator that the core's word stands for."""
    name, _, p = metric.partition(":")
    return {"metric": name, "p": float(p)} if p else {"metric": name}


@dataclass
class Neighbors:
    """A search for neighbours, and the graph of distances that it makes.

    Attributes
    ----------
    n_neighbors : int
        How many there are of each point, unless there is a radius.
    radius : float or None
        How far they are at most.
    metric, p, metric_params
        As for ``sklearn.neighbors.NearestNeighbors``; with "precomputed" points are rows of
        distances, or of a sparse graph of them.
    n_jobs : int or None
        Number of threads; None means all cores.
    algorithm : str
        How ``NearestNeighbors`` searches.
    """

    n_neighbors: int
    radius: float | None
    metric: Any
    p: float
    metric_params: dict[str, Any] | None
    n_jobs: int | None
    algorithm: str = "auto"

    def fit(self, X: Any, components: str) -> csr_matrix:
        """The graph of the distances of neighbours, its components joined if that is wanted."""
        #: What the user should know.
        self.told: list[str] = []
        self.found = NearestNeighbors(
            n_neighbors=self.n_neighbors,
            radius=1.0 if self.radius is None else self.radius,
            metric=self.metric,
            p=self.p,
            metric_params=self.metric_params,
            algorithm=self.algorithm,
            n_jobs=-1 if self.n_jobs is None else self.n_jobs,
        ).fit(X)
        graph = csr_matrix(self._graph(None))
        if components != "connect":
            return graph
        count, labels = connected_components(graph, directed=False)
        if count == 1 or (self.metric == "precomputed" and issparse(X)):
            # How far the components of a graph are from each other only the core can make up.
            return graph
        links = self._links(X, labels, count)
        sizes = np.sort(np.bincount(labels))[::-1]
        few = "more n_neighbors" if self.radius is None else "a larger radius"
        self.told.append(
            f"the neighbour graph had {count} components (sizes "
            f"{', '.join(map(str, sizes[:5]))}{', ..' if count > 5 else ''}), joined by "
            f"{len(links)} added edges of length up to {max(links)[0]:.4}: {few} may be better"
        )
        return with_edges(graph, links)

    def of_new(self, X: Any) -> csr_matrix:
        """The distances of new points from their neighbours of the fit."""
        if self.metric == "precomputed" and issparse(X):
            return kept(csr_matrix(X), self.radius)
        graph = csr_matrix(self._graph(X))
        lonely = np.flatnonzero(np.diff(graph.indptr) == 0)
        if len(lonely):
            raise ValueError(
                f"new point {lonely[0]} has no neighbour within radius = {self.radius}: leave it "
                "out, or fit with a larger radius"
            )
        return graph

    def _graph(self, X: Any) -> Any:
        """Of new points; of those of the fit, which are no neighbours of themselves, for None."""
        if self.radius is None:
            return self.found.kneighbors_graph(X, mode="distance")
        return self.found.radius_neighbors_graph(X, mode="distance")

    def _links(self, X: Any, labels: np.ndarray, count: int) -> list[tuple[float, int, int]]:
        """The shortest edges that join all components: Kruskal's algorithm."""
        members = [np.flatnonzero(labels == label) for label in range(count)]
        pairs = []
        for a in range(count):
            for b in range(a):
                pairs.append((*self._nearest(X, members[a], members[b]), a, b))
        group = list(range(count))
        links = []
        for length, i, j, a, b in sorted(pairs):
            if group[a] != group[b]:
                old, new = group[a], group[b]
                group = [new if one == old else one for one in group]
                links.append((length, i, j))
        return links

    def _nearest(self, X: Any, some: np.ndarray, others: np.ndarray) -> tuple[float, int, int]:
        """The shortest distance between two sets of points, and whose it is."""
        if self.metric == "precomputed":
            distances = X[np.ix_(some, others)]
            at, to = np.unravel_index(distances.argmin(), distances.shape)
            return float(distances[at, to]), int(some[at]), int(others[to])
        options = dict(self.metric_params or {})
        if self.metric == "minkowski":
            options["p"] = self.p
        nearest, lengths = pairwise_distances_argmin_min(
            X[some], X[others], metric=self.metric, metric_kwargs=options
        )
        at = lengths.argmin()
        return float(lengths[at]), int(some[at]), int(others[nearest[at]])


def kept(graph: csr_matrix, radius: float | None) -> csr_matrix:
    """The edges of a graph that are no longer than a radius, zeros that are stored included."""
    if radius is None:
        return graph
    graph = coo_array(graph)
    near = graph.data <= radius
    row, column = (ends[near] for ends in graph.coords)
    return csr_matrix((graph.data[near], (row, column)), shape=graph.shape)


def with_edges(graph: csr_matrix, links: list[tuple[float, int, int]]) -> csr_matrix:
    """The graph with further edges, which may have length zero."""
    graph = coo_array(graph)
    lengths, some, others = (np.array(part) for part in zip(*links, strict=True))
    data = np.concatenate([graph.data, lengths])
    row = np.concatenate([graph.coords[0], some])
    column = np.concatenate([graph.coords[1], others])
    order = np.lexsort((column, row))
    starts = np.searchsorted(row[order], np.arange(graph.shape[0] + 1))
    return csr_matrix(csr_array((data[order], column[order], starts), shape=graph.shape))
