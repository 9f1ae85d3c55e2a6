"""What an AnnData object holds: coordinates of cells, their neighbours, matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse


@dataclass(frozen=True)
class Points:
    """Coordinates of the cells.

    Attributes
    ----------
    name : str
        Where they are: a key of ``adata.obsm``, or "X".
    values : array-like of shape (n_cells, n_features)
        The coordinates.
    """

    name: str
    values: Any


@dataclass(frozen=True)
class Neighbors:
    """What ``scanpy.pp.neighbors`` left.

    Attributes
    ----------
    key : str
        Where in ``adata.uns``.
    params : dict
        What they were computed from, and how.
    connectivities : csr_matrix of shape (n_cells, n_cells)
        How strongly cells are tied: 0 to 1.
    distances : csr_matrix of shape (n_cells, n_cells) or None
        The lengths of the edges, named from one end or both.
    """

    key: str
    params: dict[str, Any]
    connectivities: csr_matrix
    distances: csr_matrix | None

    def param(self, name: str, default: Any = None) -> Any:
        """One of the parameters; old files have arrays of one value."""
        value = self.params.get(name)
        return default if value is None else np.ravel(value).tolist()[0]


def check(adata: Any) -> None:
    """Refuses what is no AnnData, or anything like it."""
    if not hasattr(adata, "uns"):
        name = type(adata).__name__
        raise TypeError(f"adata must be an AnnData, not {name}: nrdr's estimators take arrays")


def points_of(adata: Any, use_rep: str | None = None, n_pcs: int | None = None) -> Points:
    """The coordinates that are asked for; principal components where they are, or else X."""
    name = use_rep or ("X_pca" if "X_pca" in adata.obsm else "X")
    if name != "X" and name not in adata.obsm:
        there = ", ".join(map(repr, adata.obsm)) or "nothing"
        raise ValueError(
            f"adata.obsm has no {name!r} (use_rep): it has {there}; 'X' means adata.X itself"
        )
    values = adata.X if name == "X" else adata.obsm[name]
    if values is None:
        raise ValueError("adata.X is empty and adata.obsm has no 'X_pca': give use_rep")
    # What is on the disk still, of an AnnData in backed mode.
    values = values.to_memory() if hasattr(values, "to_memory") else values
    values = values.toarray() if issparse(values) else values
    if n_pcs is None:
        return Points(name, values)
    columns = np.shape(values)[1]
    if not 1 <= n_pcs <= columns:
        raise ValueError(f"n_pcs = {n_pcs} is out of range: {name} has {columns} columns")
    return Points(name, np.asarray(values)[:, :n_pcs])


def neighbors_of(adata: Any, key: str | None = None) -> Neighbors:
    """The neighbours of this key, or those that are there by default."""
    key = "neighbors" if key is None else key
    if key not in adata.uns:
        raise ValueError(f"adata.uns has no {key!r}: run scanpy.pp.neighbors first")
    told = adata.uns[key]
    weights = told.get("connectivities_key", "connectivities")
    lengths = told.get("distances_key", "distances")
    return Neighbors(
        key=key,
        params=dict(told.get("params", {})),
        connectivities=csr_matrix(matrix_of(adata, weights)),
        distances=csr_matrix(adata.obsp[lengths]) if lengths in adata.obsp else None,
    )


def matrix_of(adata: Any, key: str) -> Any:
    """A matrix of all pairs of cells."""
    if key not in adata.obsp:
        there = ", ".join(map(repr, adata.obsp)) or "nothing"
        raise ValueError(f"adata.obsp has no {key!r}: it has {there}")
    return adata.obsp[key]


def points_behind(adata: Any, neighbors: Neighbors, use_rep: str | None) -> Points:
    """The coordinates that the neighbours were computed from, unless others are asked for."""
    if use_rep is not None:
        return points_of(adata, use_rep)
    return points_of(adata, neighbors.param("use_rep"), neighbors.param("n_pcs"))
