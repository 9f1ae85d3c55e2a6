"""Cells that fall apart: the shortest edges between their components."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import pairwise_distances_argmin_min

from ._cells import Neighbors, points_behind


@dataclass(frozen=True)
class Bridges:
    """Edges between components.

    Attributes
    ----------
    ends : ndarray of shape (n_edges, 2)
        The cells that they join.
    lengths : ndarray of shape (n_edges,)
        How far these are from each other.
    """

    ends: np.ndarray
    lengths: np.ndarray


def joined(
    adata: Any, neighbors: Neighbors, policy: str, use_rep: str | None, callers: int
) -> Neighbors:
    """The neighbours in one piece, if the policy wants that; warnings point so many callers away.

    They have a key of their own, for ``store``: the tools that come after need them, for scanpy's
    pseudotime is infinite where the neighbours do not lead.
    """
    count, part = connected_components(neighbors.connectivities, directed=False)
    if count == 1 or policy != "connect":
        return neighbors
    sizes = ", ".join(map(str, sorted(np.bincount(part), reverse=True)[:10]))
    sizes += ", .." if count > 10 else ""
    told = f"the neighbour graph has {count} components (sizes {sizes})"
    try:
        points = points_behind(adata, neighbors, use_rep)
    except (AttributeError, ValueError) as error:
        raise ValueError(
            f"{told}, and there are no coordinates to connect them by ({error}): give use_rep, "
            'choose components="largest", or raise n_neighbors of scanpy.pp.neighbors'
        ) from error
    metric, own = neighbors.param("metric", "euclidean"), neighbors.params.get("metric_kwds")
    found = bridges(np.asarray(points.values), part, metric, own)
    key, lengths = f"{neighbors.key}_connected", neighbors.distances
    if lengths is not None:
        lengths = with_edges(lengths, found, found.lengths)
    weights = with_edges(neighbors.connectivities, found, weak(neighbors.connectivities, found))
    warnings.warn(
        f"{told}: joined by {count - 1} added edges of length up to {found.lengths.max():.4g} in "
        f"{points.name}; adata.uns[{key!r}] has the joined neighbours, for neighbors_key of "
        "scanpy.tl.dpt; more n_neighbors in scanpy.pp.neighbors may be better",
        UserWarning,
        stacklevel=callers + 1,
    )
    return replace(neighbors, key=key, connectivities=weights, distances=lengths)


def bridges(
    points: np.ndarray, part: np.ndarray, metric: str = "euclidean", own: Any = None
) -> Bridges:
    """The shortest edges that make one component of all: their minimum spanning tree.

    The smallest component is joined to the cell that is nearest to any of its cells, until one is
    left: so the distances that are looked at are those from the small components alone.
    """
    part, ends, lengths = part.copy(), [], []
    for _ in range(len(np.unique(part)) - 1):
        labels, sizes = np.unique(part, return_counts=True)
        smallest = labels[sizes.argmin()]
        inside, outside = np.flatnonzero(part == smallest), np.flatnonzero(part != smallest)
        nearest, length = pairwise_distances_argmin_min(
            points[inside], points[outside], metric=metric, metric_kwargs=own
        )
        i = length.argmin()
        ends.append((inside[i], outside[nearest[i]]))
        lengths.append(length[i])
        part[inside] = part[ends[-1][1]]
    return Bridges(np.array(ends), np.array(lengths, dtype=float))


def weak(graph: csr_matrix, found: Bridges) -> np.ndarray:
    """The connectivities of the added edges.

    Their ends are farther from each other than from their neighbours, so each is as weak as the
    weakest tie that either end has.
    """
    weakest = np.full(graph.shape[0], np.inf)
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    positive = graph.data > 0
    np.minimum.at(weakest, rows[positive], graph.data[positive])
    weights = weakest[found.ends].min(axis=1)
    return np.where(np.isfinite(weights), weights, 1.0)


def with_edges(graph: csr_matrix, found: Bridges, values: np.ndarray) -> csr_matrix:
    """The graph and the added edges, from both ends."""
    one, other = found.ends.T
    rows, columns = np.concatenate([one, other]), np.concatenate([other, one])
    added = coo_matrix((np.tile(values, 2).astype(graph.dtype), (rows, columns)), graph.shape)
    return csr_matrix(graph + added)


def store(adata: Any, neighbors: Neighbors) -> None:
    """Puts neighbours where scanpy's own are, under their own key."""
    key = neighbors.key
    told = {"connectivities_key": f"{key}_connectivities", "params": neighbors.params}
    adata.obsp[told["connectivities_key"]] = neighbors.connectivities
    if neighbors.distances is not None:
        told["distances_key"] = f"{key}_distances"
        adata.obsp[told["distances_key"]] = neighbors.distances
    adata.uns[key] = told
