"""The methods, a short class each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._base import SpectralEmbedder
from ._graphs import AFFINITIES, GraphEmbedder, geodesics, one_of
from ._input import Input
from ._kernels import affinities, centred, without_diagonal
from ._neighbors import Neighbors
from .typing import Affinity, GraphAffinity, Weights


class Reconstructing(SpectralEmbedder):
    """A method whose energy is what neighbourhoods fail to be reproduced by."""

    @property
    def reconstruction_error_(self) -> float:
        """The sum of the eigenvalues."""
        check_is_fitted(self)
        return float(self.eigenvalues_.sum())


@dataclass(eq=False, repr=False, kw_only=True)
class LaplacianEigenmaps(GraphEmbedder):
    """Laplacian eigenmaps (Belkin & Niyogi 2003) with coordinates that do not repeat each other.

    What ``sklearn.manifold.SpectralEmbedding`` computes, with ``strategy="orthogonal"``.

    Parameters
    ----------
    n_components : int or "auto", default=2
        Number of coordinates, or as many as are worth having, at most 10.
    n_neighbors : int, default=10
        Number of nearest neighbours.
    <common>
    affinity : {"nearest_neighbors", "precomputed", "precomputed_nearest_neighbors", "rbf"} or \
callable
        What ``X`` is: points; a matrix or sparse graph of affinities, of which the mean of both
        directions is used; or distances, of all pairs as a matrix or of neighbours as a sparse
        graph, of which ``n_neighbors`` in each row are used. With "rbf" all points are neighbours,
        with the affinity ``exp(-gamma d^2)``; a callable returns the affinities of all pairs.
    gamma : float, optional
        For "rbf"; one over the number of columns by default.
    <metric>
    weights : {"binary", "heat"}, optional
        Weights of the edges; by default "heat" where ``sigma`` is given, and otherwise "binary".
    sigma : float, optional
        Width of heat weights; by default the median length of the edges.

    Attributes
    ----------
    <attributes>

    Examples
    --------
    >>> from nrdr import LaplacianEigenmaps
    >>> from nrdr.datasets import make_swiss_roll
    >>> X, truth = make_swiss_roll(1000, height=10)
    >>> original = LaplacianEigenmaps(strategy="orthogonal").fit(X)
    >>> ours = LaplacianEigenmaps().fit(X)
    >>> bool(original.redundancy_[1] < 0.3), bool(ours.redundancy_[1] > 0.6)
    (True, True)
    >>> ours.transform(X[:3]).shape
    (3, 2)
    """

    affinity: Affinity | Callable[[Any], Any] = "nearest_neighbors"
    gamma: float | None = None
    weights: Weights | None = None
    sigma: float | None = None

    _method: ClassVar[str] = "lem"

    def _kind(self) -> str:
        if callable(self.affinity):
            return "points"
        return one_of("affinity", self.affinity, {**AFFINITIES, "rbf": "points"})

    def _of_all_pairs(self) -> bool:
        """Whether all points are neighbours of each other."""
        return callable(self.affinity) or self.affinity == "rbf"

    def _core_takes(self, X: Any) -> bool:
        return not self._of_all_pairs() and super()._core_takes(X)

    def _no_new_points(self) -> str | None:
        if self._of_all_pairs():
            return "affinities of all pairs cannot be extended to new points: choose neighbours"
        return super()._no_new_points()

    def _input(self, X: Any) -> Input:
        if not self._of_all_pairs():
            return super()._input(X)
        #: The affinities as they were computed, with those of the points and themselves.
        self.affinity_matrix_ = affinities(X, self.affinity, self.gamma)
        W = without_diagonal(self.affinity_matrix_)
        return Input(W, "affinities", self._core(), self._solver_of(W))


@dataclass(eq=False, repr=False, kw_only=True)
class DiffusionMaps(GraphEmbedder):
    """Diffusion maps (Coifman & Lafon 2006) with coordinates that do not repeat each other.

    Parameters
    ----------
    n_components : int or "auto", default=2
        Number of coordinates, or as many as are worth having, at most 10.
    n_neighbors : int, default=10
        Number of nearest neighbours.
    <common>
    affinity : {"nearest_neighbors", "precomputed", "precomputed_nearest_neighbors"}
        What ``X`` is: points; a matrix or sparse graph of affinities; or distances, of all pairs as
        a matrix or of neighbours as a sparse graph, of which ``n_neighbors`` in each row are used.
    <metric>
    epsilon : float, optional
        Squared width of the kernel; by default the median squared length of the edges.
    density : float, default=1
        Power of the sampling density that is divided out, from 0 to 1.
    time : float, default=1
        Steps of the random walk; ``lengths_`` is eigenvalue to this power.

    Attributes
    ----------
    <attributes>

    Examples
    --------
    >>> from nrdr import DiffusionMaps
    >>> from nrdr.datasets import make_strip
    >>> X, truth = make_strip(600, aspect=4)
    >>> maps = DiffusionMaps(n_components=2).fit(X)
    >>> maps.embedding_.shape
    (600, 2)
    >>> bool(abs(np.corrcoef(maps.embedding_[:, 0], truth[:, 0])[0, 1]) > 0.9)
    True
    """

    affinity: GraphAffinity = "nearest_neighbors"
    epsilon: float | None = None
    density: float = 1.0
    time: float = 1.0

    _method: ClassVar[str] = "dfm"

    def _kind(self) -> str:
        return one_of("affinity", self.affinity, AFFINITIES)


@dataclass(eq=False, repr=False, kw_only=True)
class LocallyLinearEmbedding(Reconstructing):
    """Locally linear embedding (Roweis & Saul 2000) with coordinates that do not repeat each other.

    What ``sklearn.manifold.LocallyLinearEmbedding`` computes, with ``strategy="orthogonal"``.

    Parameters
    ----------
    n_components : int or "auto", default=2
        Number of coordinates, or as many as are worth having, at most 10.
    n_neighbors : int, default=10
        Number of nearest neighbours.
    <common>
    reg : float, default=0.001
        Regularisation of the weights, relative to the trace of the local covariance.

    Attributes
    ----------
    <attributes>

    Examples
    --------
    >>> from nrdr import LocallyLinearEmbedding
    >>> from nrdr.datasets import make_s_curve
    >>> X, truth = make_s_curve(500)
    >>> LocallyLinearEmbedding(n_neighbors=12).fit_transform(X).shape
    (500, 2)
    """

    reg: float = 1e-3

    _method: ClassVar[str] = "lle"


@dataclass(eq=False, repr=False, kw_only=True)
class ModifiedLLE(Reconstructing):
    """Modified LLE (Zhang & Wang 2006) with coordinates that do not repeat each other.

    What ``sklearn.manifold.LocallyLinearEmbedding(method="modified")`` computes, with
    ``strategy="orthogonal"`` and ``local_dim=n_components``.

    Parameters
    ----------
    n_components : int or "auto", default=2
        Number of coordinates, or as many as are worth having, at most 10.
    n_neighbors : int, default=10
        Number of nearest neighbours; at least d + 1 in d local dimensions.
    <common>
    reg : float, default=0.001
        Regularisation of LLE's weights, relative to the trace of the local covariance.
    local_dim : int, optional
        Dimension of the tangent spaces; by default that of the neighbourhoods, as estimated from
        their spectra. ``report_["chosen"]`` tells it.

    Attributes
    ----------
    <attributes>

    Examples
    --------
    >>> from nrdr import ModifiedLLE
    >>> from nrdr.datasets import make_swiss_roll
    >>> X, truth = make_swiss_roll(500, random_state=1)
    >>> ModifiedLLE(n_neighbors=12).fit_transform(X).shape
    (500, 2)
    """

    reg: float = 1e-3
    local_dim: int | None = None

    _method: ClassVar[str] = "mlle"


@dataclass(eq=False, repr=False, kw_only=True)
class HessianEigenmaps(Reconstructing):
    """Hessian LLE (Donoho & Grimes 2003) with coordinates that do not repeat each other.

    Parameters
    ----------
    n_components : int or "auto", default=2
        Number of coordinates, or as many as are worth having, at most 10.
    n_neighbors : int, default=10
        Number of nearest neighbours; more than d (d + 3) / 2 in d local dimensions.
    <common>
    local_dim : int, optional
        Dimension of the tangent spaces; by default that of the neighbourhoods, as estimated from
        their spectra. ``report_["chosen"]`` tells it.

    Attributes
    ----------
    <attributes>

    Examples
    --------
    >>> from nrdr import HessianEigenmaps
    >>> from nrdr.datasets import make_swiss_roll
    >>> X, truth = make_swiss_roll(500, random_state=1)
    >>> HessianEigenmaps(n_neighbors=12).fit_transform(X).shape
    (500, 2)
    """

    local_dim: int | None = None

    _method: ClassVar[str] = "hlle"


@dataclass(eq=False, repr=False, kw_only=True)
class LTSA(Reconstructing):
    """Local tangent space alignment (Zhang & Zha 2004), coordinates that do not repeat each other.

    Parameters
    ----------
    n_components : int or "auto", default=2
        Number of coordinates, or as many as are worth having, at most 10.
    n_neighbors : int, default=10
        Number of nearest neighbours; at least d + 2 in d local dimensions.
    <common>
    local_dim : int, optional
        Dimension of the tangent spaces; by default that of the neighbourhoods, as estimated from
        their spectra. ``report_["chosen"]`` tells it.

    Attributes
    ----------
    <attributes>

    Examples
    --------
    >>> from nrdr import LTSA
    >>> from nrdr.datasets import make_swiss_roll
    >>> X, truth = make_swiss_roll(800, height=8, noise=0.3, random_state=3)
    >>> ltsa = LTSA(n_neighbors=12).fit(X)
    >>> bool(abs(np.corrcoef(ltsa.embedding_[:, 1], truth[:, 1])[0, 1]) > 0.9)
    True
    """

    local_dim: int | None = None

    _method: ClassVar[str] = "ltsa"


@dataclass(eq=False, repr=False, kw_only=True)
class Isomap(GraphEmbedder):
    """Isomap (Tenenbaum, de Silva & Langford 2000) with coordinates that do not repeat each other.

    What ``sklearn.manifold.Isomap`` computes, with ``strategy="orthogonal"`` and multiplied by
    ``lengths_``.

    Parameters
    ----------
    n_components : int or "auto", default=2
        Number of coordinates, or as many as are worth having, at most 10.
    n_neighbors : int, default=10
        Number of nearest neighbours.
    <common>
    metric : str or callable, default="euclidean"
        The distance of points, as ``sklearn.neighbors.NearestNeighbors`` takes it; or "precomputed"
        where ``X`` is distances: of all pairs as a matrix, or of neighbours as a sparse graph, of
        which ``n_neighbors`` in each row are used.
    p : float, default=2
        Power of the metric "minkowski".
    metric_params : dict, optional
        Further parameters of the metric.
    radius : float, optional
        Neighbours are all points within this distance, instead of ``n_neighbors``.
    landmarks : int, optional
        Points that shortest paths begin at, spread evenly. By default all, as long as a matrix of
        all pairs fits the memory (up to 25 000 points), and beyond that as many as the leading
        coordinates take to settle: ``report_["chosen"]`` tells how many.

    Attributes
    ----------
    <attributes>

    Examples
    --------
    >>> from nrdr import Isomap
    >>> from nrdr.datasets import make_swiss_roll
    >>> X, truth = make_swiss_roll(500, random_state=1)
    >>> isomap = Isomap(strategy="orthogonal").fit(X)
    >>> (isomap.embedding_ * isomap.lengths_).shape
    (500, 2)
    """

    landmarks: int | None = None

    _method: ClassVar[str] = "isomap"

    def _kind(self) -> str:
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        return "distances" if given else "points"

    @property
    def dist_matrix_(self) -> np.ndarray:
        """The lengths of the shortest paths, measured when they are asked for.

        Those of a point that was left out are infinite.
        """
        check_is_fitted(self)
        if getattr(self, "_search", None) is not None:
            return geodesics(self._lengths)
        if self._kind() != "points":
            raise AttributeError("dist_matrix_: the core measured the paths, and keeps none")
        there = np.asarray(~np.isnan(self.embedding_).any(axis=1))
        paths = np.full((len(there), len(there)), np.inf)
        paths[np.ix_(there, there)] = self._paths()[0]
        return paths

    def reconstruction_error(self) -> float:
        """Returns how far the embedding is from the lengths of the shortest paths.

        Returns
        -------
        error : float
            The Frobenius norm of the centred kernel of these lengths less that of the embedding,
            over the number of points.
        """
        check_is_fitted(self)
        paths, values = self._paths()
        kernel = centred(-0.5 * paths**2)
        error = kernel - (values * self.lengths_**2) @ values.T
        return float(np.linalg.norm(error) / len(error))

    def _paths(self) -> tuple[np.ndarray, np.ndarray]:
        """The shortest paths of the points that were embedded, and their coordinates."""
        if getattr(self, "_search", None) is not None:
            there = ~np.isnan(self.embedding_).any(axis=1)
            paths = geodesics(self._lengths)[np.ix_(there, there)]
            return paths, self.embedding_[there].astype(float)
        trained = self._model and self._model.training()
        if not trained:
            raise ValueError("the distances of the fit are not kept: give points")
        points, values = trained
        few = min(self.n_neighbors, len(points) - 1)
        search = Neighbors(few, None, self.metric, self.p, self.metric_params, self.n_jobs)
        return geodesics(search.fit(points, "connect")), values
