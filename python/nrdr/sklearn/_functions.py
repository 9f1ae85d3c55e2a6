"""The functions that scikit-learn has beside the estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.csgraph import laplacian

from .._kernels import without_diagonal
from .._matrices import Precomputed
from ..typing import Strategy
from ._locally_linear import LocallyLinearEmbedding
from ._spectral import SpectralEmbedding


def spectral_embedding(
    adjacency: Any,
    *,
    n_components: int = 8,
    eigen_solver: str | None = None,
    random_state: Any = None,
    eigen_tol: float | str = "auto",
    norm_laplacian: bool = True,
    drop_first: bool = True,
    strategy: Strategy = "orthogonal",
    strategy_params: dict[str, Any] | None = None,
) -> np.ndarray:
    """Embeds a graph, as ``sklearn.manifold.spectral_embedding`` does.

    Parameters
    ----------
    adjacency : array-like or sparse matrix of shape (n_samples, n_samples)
        Affinities.
    n_components : int, default=8
        Number of coordinates.
    eigen_solver : {"arpack", "lobpcg", "amg", "dense"}, default=None
        "dense" is the core's; with the other words it chooses.
    random_state : int, RandomState or None, default=None
        Start of the random numbers, on which the result depends only within the tolerance.
    eigen_tol : float or "auto", default="auto"
        Not used: the core's tolerance is 1e-8.
    norm_laplacian : bool, default=True
        Whether the Laplacian is divided by the degrees.
    drop_first : bool, default=True
        Whether the constant coordinate is left out.
    strategy : str, default="orthogonal"
        What a coordinate owes to the earlier ones.
    strategy_params : dict, default=None
        Parameters of the strategy.

    Returns
    -------
    embedding : ndarray of shape (n_samples, n_components)
        The coordinates.
    """
    graph = without_diagonal(adjacency if issparse(adjacency) else np.asarray(adjacency))
    graph = graph.astype(float)
    wanted = n_components if drop_first else n_components - 1
    common: dict[str, Any] = {"random_state": random_state, "eigen_solver": eigen_solver or "auto"}
    n = graph.shape[0]
    if wanted == 0:
        found = np.empty((n, 0))
    elif norm_laplacian:
        common |= {"strategy": strategy, "strategy_params": strategy_params}
        embedding = SpectralEmbedding(wanted, affinity="precomputed", **common)
        found = embedding.fit(graph).embedding_
    else:
        common |= {"strategy": strategy, **(strategy_params or {})}
        # Of the smallest end nothing is below zero: the Laplacian is positive semidefinite.
        common |= {"end": "smallest", "trivial": np.ones(n), "bound": 0.0}
        found = Precomputed(wanted, **common).fit(laplacian(graph)).embedding_
    if drop_first:
        return found
    degrees = np.asarray(graph.sum(axis=0)).ravel()
    length = np.sqrt(degrees.sum() if norm_laplacian else n)
    return np.column_stack([np.full(n, 1 / length), found])


def locally_linear_embedding(
    X: Any, *, n_neighbors: int, n_components: int, **parameters: Any
) -> tuple[np.ndarray, float]:
    """Embeds points, as ``sklearn.manifold.locally_linear_embedding`` does.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The points.
    n_neighbors : int
        Number of nearest neighbours.
    n_components : int
        Number of coordinates.
    **parameters
        The other parameters of ``LocallyLinearEmbedding``.

    Returns
    -------
    embedding : ndarray of shape (n_samples, n_components)
        The coordinates.
    error : float
        The sum of the eigenvalues.
    """
    found = LocallyLinearEmbedding(
        n_neighbors=n_neighbors, n_components=n_components, **parameters
    ).fit(X)
    return found.embedding_, found.reconstruction_error_
