"""The methods, a short class each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ._base import SpectralEmbedder
from .typing import Affinity, End, Kernel, Length, Metric, Weights

#: What `affinity` can be, and what X is then.
AFFINITIES = {
    "nearest_neighbors": "points",
    "precomputed": "affinities",
    "precomputed_nearest_neighbors": "distances",
}


def one_of(name: str, value: Any, kinds: dict[str, str]) -> str:
    """What a word means, or an error that names those there are."""
    if not isinstance(value, str) or value not in kinds:
        raise ValueError(f"{name} = {value!r} is out of range: it must be {', '.join(kinds)}")
    return kinds[value]


@dataclass(eq=False, repr=False, kw_only=True)
class LaplacianEigenmaps(SpectralEmbedder):
    """Laplacian eigenmaps (Belkin & Niyogi 2003) with coordinates that do not repeat each other.

    What ``sklearn.manifold.SpectralEmbedding`` computes, with ``strategy="orthogonal"``.

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

    affinity: Affinity = "nearest_neighbors"
    weights: Weights | None = None
    sigma: float | None = None

    _method: ClassVar[str] = "lem"

    def _kind(self) -> str:
        return one_of("affinity", self.affinity, AFFINITIES)


@dataclass(eq=False, repr=False, kw_only=True)
class DiffusionMaps(SpectralEmbedder):
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

    affinity: Affinity = "nearest_neighbors"
    epsilon: float | None = None
    density: float = 1.0
    time: float = 1.0

    _method: ClassVar[str] = "dfm"

    def _kind(self) -> str:
        return one_of("affinity", self.affinity, AFFINITIES)


@dataclass(eq=False, repr=False, kw_only=True)
class LocallyLinearEmbedding(SpectralEmbedder):
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
class ModifiedLLE(SpectralEmbedder):
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
class HessianEigenmaps(SpectralEmbedder):
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
class LTSA(SpectralEmbedder):
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
class Isomap(SpectralEmbedder):
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
    metric : {"euclidean", "precomputed"}, default="euclidean"
        Whether ``X`` is points, or distances: of all pairs as a matrix, or of neighbours as a
        sparse graph, of which ``n_neighbors`` in each row are used.
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

    metric: Metric = "euclidean"
    landmarks: int | None = None

    _method: ClassVar[str] = "isomap"

    def _kind(self) -> str:
        return one_of("metric", self.metric, {"euclidean": "points", "precomputed": "distances"})


@dataclass(eq=False, repr=False, kw_only=True)
class KernelPCA(SpectralEmbedder):
    """Kernel PCA (Schoelkopf, Smola & Mueller 1998), coordinates that do not repeat each other.

    What ``sklearn.decomposition.KernelPCA`` computes, with ``strategy="orthogonal"`` and multiplied
    by ``lengths_``.

    Parameters
    ----------
    n_components : int or "auto", default=2
        Number of coordinates, or as many as are worth having, at most 10.
    n_neighbors : int, default=10
        Only used by strategies that look at neighbours.
    <common>
    kernel : {"rbf", "poly", "cosine", "sigmoid", "linear", "precomputed"}, default="rbf"
        The kernel; with "precomputed" ``X`` is its matrix.
    gamma : float, optional
        Scale of the rbf, poly and sigmoid kernels; by default one over the total variance.
    degree : int, default=3
        Power of the poly kernel.
    coef0 : float, default=1
        Constant of the poly and sigmoid kernels.
    rank : int, optional
        Columns that the kernel matrix is made of. By default all, as long as they fit the memory
        (up to 25 000 points), and beyond that as many as the leading coordinates take to settle:
        ``report_["chosen"]`` tells how many.

    Attributes
    ----------
    <attributes>

    Examples
    --------
    >>> from nrdr import KernelPCA
    >>> from nrdr.datasets import make_strip
    >>> X, truth = make_strip(300)
    >>> KernelPCA(n_components=2).fit_transform(X).shape
    (300, 2)
    """

    kernel: Kernel = "rbf"
    gamma: float | None = None
    degree: int = 3
    coef0: float = 1.0
    rank: int | None = None

    _method: ClassVar[str] = "kpca"

    def _kind(self) -> str:
        return "matrix" if self._core() == "precomputed" else "points"

    def _core(self) -> str:
        given = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return "precomputed" if given else self._method

    def _matrix_parameters(self) -> dict[str, Any]:
        if self._core() != "precomputed":
            return {}
        # Orthogonal to the constant: that is what centring the kernel does.
        ones = np.ones(self.n_features_in_)
        return {"end": "largest", "scale": None, "trivial": ones, "bound": None, "length": "root"}


@dataclass(eq=False, repr=False, kw_only=True)
class Precomputed(SpectralEmbedder):
    """Eigenvectors of a matrix of one's own, with coordinates that do not repeat each other.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates.
    n_neighbors : int, default=10
        Not used.
    <common>
    end : {"largest", "smallest"}, default="largest"
        Which eigenvalues are wanted: the largest of a kernel, the smallest of an energy.
    scale : array-like of shape (n_samples,), optional
        What eigenvectors are multiplied by, entry by entry.
    trivial : array-like of shape (n_samples,), optional
        A direction without information, to which coordinates are orthogonal.
    bound : float, optional
        No eigenvalue lies beyond this one at the wanted end. Lets a sparse matrix be factorised.
    length : {"one", "root"}, default="one"
        The length of a coordinate: one, or the square root of its eigenvalue.

    Attributes
    ----------
    <attributes>

    Examples
    --------
    >>> import numpy as np
    >>> from nrdr import Precomputed
    >>> x = np.linspace(-1, 1, 100)
    >>> kernel = np.exp(-((x[:, None] - x) ** 2))
    >>> found = Precomputed(strategy="orthogonal", trivial=np.ones(100)).fit(kernel)
    >>> bool(abs(np.corrcoef(found.embedding_[:, 0], x)[0, 1]) > 0.95)
    True
    """

    end: End = "largest"
    scale: Any = None
    trivial: Any = None
    bound: float | None = None
    length: Length = "one"

    _method: ClassVar[str] = "precomputed"

    def _kind(self) -> str:
        return "matrix"

    def _matrix_parameters(self) -> dict[str, Any]:
        return {name: vector(name, getattr(self, name)) for name in ("scale", "trivial")}


def vector(name: str, values: Any) -> np.ndarray | None:
    """A finite number for each point, or nothing."""
    if values is None:
        return None
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be a number for each point: {error}") from None
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}: it must be a number for each point")
    wrong = np.flatnonzero(~np.isfinite(array))
    if len(wrong):
        raise ValueError(f"{name} holds {array[wrong[0]]} at {wrong[0]}: it must be finite")
    return array
