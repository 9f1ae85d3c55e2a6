"""From coordinates back to points, approximately."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

#: A plane through neighbours is held by so much of their spread towards their mean.
RIDGE = 1e-3
#: Values worked on at a time.
BLOCK = 2**22


def local_regression(points: np.ndarray, values: np.ndarray, Y: np.ndarray, k: int) -> np.ndarray:
    """The points that have the coordinates Y, as far as the neighbours there tell.

    Each is read off an affine function of the coordinates, fitted to the k nearest of the known
    ones, nearer ones weighing more: they are weighed by the tricube of their distance.

    Parameters
    ----------
    points : ndarray of shape (n_samples, n_features)
        The points of the fit.
    values : ndarray of shape (n_samples, n_components)
        Their coordinates.
    Y : ndarray of shape (n_new, n_components)
        Where points are wanted.
    k : int
        Neighbours that the function is fitted to.

    Returns
    -------
    X : ndarray of shape (n_new, n_features)
        The points.
    """
    scale = values.std(axis=0)
    scale[scale == 0] = 1.0
    values, Y = values / scale, Y / scale
    k = min(k, len(values))
    found = NearestNeighbors(n_neighbors=k).fit(values)
    rows = max(1, BLOCK // (k * points.shape[1]))
    blocks = [fitted(points, values, Y[at : at + rows], found) for at in range(0, len(Y), rows)]
    return np.concatenate(blocks) if blocks else np.empty((0, points.shape[1]))


def fitted(points: np.ndarray, values: np.ndarray, Y: np.ndarray, found: Any) -> np.ndarray:
    """The same of a block."""
    lengths, near = found.kneighbors(Y)
    # The farthest one weighs nothing, unless all are equally far.
    reach = lengths[:, -1:] * (1 + 1e-9) + np.finfo(float).tiny
    weights = (1 - (lengths / reach) ** 3) ** 3 + 1e-12
    weights /= weights.sum(axis=1, keepdims=True)
    there = values[near]
    middle = np.einsum("nk,nkd->nd", weights, there)
    apart = there - middle[:, None]
    X = points[near]
    mean = np.einsum("nk,nkf->nf", weights, X)
    moments = np.einsum("nk,nkd,nke->nde", weights, apart, apart)
    ridge = RIDGE * np.trace(moments, axis1=1, axis2=2) + np.finfo(float).tiny
    moments += ridge[:, None, None] * np.eye(values.shape[1])
    mixed = np.einsum("nk,nkd,nkf->ndf", weights, apart, X)
    slopes = np.linalg.solve(moments, mixed)
    return mean + np.einsum("nd,ndf->nf", Y - middle, slopes)


def ridge_coefficients(kernel: np.ndarray, points: np.ndarray, ridge: float) -> np.ndarray:
    """The coefficients of kernel ridge regression of the points on their coordinates.

    Bakir, Weston & Schoelkopf, "Learning to find pre-images", NIPS 2003.
    """
    kernel = kernel.copy()
    kernel.flat[:: len(kernel) + 1] += ridge
    return np.linalg.solve(kernel, points)
