"""Affinities and kernels that the core does not compute: scikit-learn's, and callables."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel

#: The kernels that the core computes by itself, of dense points.
OWN = ("rbf", "poly", "cosine", "sigmoid", "linear")
#: scikit-learn's others.
PAIRWISE = ("additive_chi2", "chi2", "laplacian", "polynomial")

#: An eigenvalue below this share of the largest is rounding.
ROUNDING = 1e-12


def total_variance(X: Any) -> float:
    """The sum of the variances of the columns."""
    if not issparse(X):
        return float(np.var(X, axis=0, dtype=float).sum())
    X = X.astype(float)
    squares = float(X.multiply(X).sum()) / X.shape[0]
    means = np.asarray(X.mean(axis=0)).ravel()
    return squares - float(means @ means)


def affinities(X: Any, affinity: Any, gamma: float | None) -> np.ndarray:
    """The affinities of all pairs of points: a Gaussian of their distance, or what a callable says.

    What a point has with itself counts as in the callable's matrix.
    """
    W: Any = affinity(X) if callable(affinity) else rbf_kernel(X, gamma=gamma)
    if W.ndim != 2 or W.shape[0] != W.shape[1] or W.shape[0] != X.shape[0]:
        raise ValueError(
            f"affinity returned shape {W.shape}: it must be an affinity for each pair of the "
            f"{X.shape[0]} points"
        )
    return W


def without_diagonal(W: Any) -> Any:
    """Affinities of different points only, symmetric: of both directions the mean."""
    if issparse(W):
        W = W.tocoo()
        there = W.row != W.col
        W = type(W)((W.data[there], (W.row[there], W.col[there])), shape=W.shape).tocsr()
    else:
        W = np.array(W)
        np.fill_diagonal(W, 0)
    return symmetric(W)


def symmetric(W: Any) -> Any:
    """The mean of a matrix and its mirror image, unless they are the same."""
    # A copy: scipy sums entries that occur twice in place, and the matrix may be the caller's.
    W = W.copy() if issparse(W) else W
    difference = abs(W - W.T)
    largest = difference.max() if min(W.shape) else 0.0
    return W if largest == 0 else 0.5 * (W + W.T)


def kernel_matrix(
    X: Any, Y: Any, kernel: Any, params: dict[str, Any] | None, **numbers: Any
) -> np.ndarray:
    """The kernel of each row of X with each of Y, in double precision.

    A callable gets ``params``, a named kernel those of ``numbers`` (gamma, degree, coef0) that it
    has.
    """
    X, Y = (part.astype(float) for part in (X, Y))
    if callable(kernel):
        return np.asarray(pairwise_kernels(X, Y, metric=kernel, **(params or {})), dtype=float)
    return np.asarray(pairwise_kernels(X, Y, metric=kernel, filter_params=True, **numbers))


def centred(K: np.ndarray) -> np.ndarray:
    """The kernel of the points seen from their mean."""
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


def informative(K: np.ndarray) -> int:
    """How many eigenvalues of a centred kernel are positive."""
    K = centred(K)
    values = np.linalg.eigvalsh(0.5 * (K + K.T))
    return int((values > ROUNDING * max(values[-1], np.finfo(float).tiny)).sum())
