"""A sparse graph of lengths, as `sklearn.neighbors` makes it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array

#: Lengths that differ by less than this share of the largest differ by rounding.
ROUNDING = 1e-6


def check_lengths(X: Any) -> None:
    """Refuses an edge that has another length from its other end.

    Parameters
    ----------
    X : sparse matrix in rows
        The lengths; an edge may be named from one end only.
    """
    rows, columns = rows_of(X), X.indices.astype(np.int64)
    places, mirrored = rows * X.shape[0] + columns, columns * X.shape[0] + rows
    at = np.minimum(np.searchsorted(places, mirrored), max(0, len(places) - 1))
    other = np.where(places[at] == mirrored, X.data[at], X.data)
    differ = np.abs(X.data - other) > ROUNDING * X.data.max(initial=0)
    if differ.any():
        at = differ.argmax()
        i, j = rows[at], columns[at]
        raise ValueError(
            f"the matrix is not symmetric: entry ({i}, {j}) is {X.data[at]}, but ({j}, {i}) is "
            f"{other[at]}"
        )


def nearest(X: Any, k: int) -> Any:
    """The graph with the k shortest edges of each row, edges to itself left out.

    Parameters
    ----------
    X : sparse matrix in rows
        The lengths.
    k : int
        How many are kept.
    """
    if np.diff(X.indptr).max(initial=0) <= k:
        return X
    rows = rows_of(X)
    others = np.flatnonzero(rows != X.indices)
    order = others[np.lexsort((X.data[others], rows[others]))]
    rows = rows[order]
    order = order[np.arange(len(rows)) - np.searchsorted(rows, rows) < k]
    kept = np.zeros(X.nnz, dtype=bool)
    kept[order] = True
    edges = (rows_of(X)[kept], X.indices[kept])
    return coo_array((X.data[kept], edges), shape=X.shape).tocsr()


def rows_of(X: Any) -> np.ndarray:
    """The row of each entry."""
    return np.repeat(np.arange(X.shape[0], dtype=np.int64), np.diff(X.indptr))
