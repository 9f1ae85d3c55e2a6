"""The methods that start from a kernel or another matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from ._arguments import MOVING
from ._base import SpectralEmbedder
from ._input import Input
from ._inverse import ridge_coefficients
from ._kernels import OWN, PAIRWISE, informative, kernel_matrix, symmetric, total_variance
from .typing import End, Kernel, Length

#: What the core is told of a kernel matrix; the trivial direction comes once its size is known.
OF_KERNEL: dict[str, Any] = {
    "end": "largest",
    "scale": None,
    "trivial": None,
    "bound": None,
    "length": "root",
}


@dataclass(eq=False, repr=False, kw_only=True)
class KernelPCA(SpectralEmbedder):
    """Kernel PCA (Schoelkopf, Smola & Mueller 1998), coordinates that do not repeat each other.

    What ``sklearn.decomposition.KernelPCA`` computes, with ``strategy="orthogonal"`` and multiplied
    by ``lengths_``.

    Parameters
    ----------
    n_components : int, "auto" or None, default=2
        Number of coordinates, or as many as are worth having, at most 10. None means as many as
        the kernel has positive eigenvalues.
    n_neighbors : int, default=10
        Only used by strategies that look at neighbours.
    <common>
    kernel : {"rbf", "poly", "cosine", "sigmoid", "linear", "precomputed"}, default="rbf"
        The kernel; with "precomputed" ``X`` is its matrix. Also "laplacian", "chi2" and
        "additive_chi2", or a callable of two points, which ``sklearn.metrics.pairwise_kernels``
        computes.
    kernel_params : dict, optional
        Parameters of a callable kernel.
    ridge : float, default=1
        Regularisation of the inverse transform, which is a kernel ridge regression for "rbf",
        "poly", "cosine", "sigmoid" and "linear".
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

    kernel: Kernel | Callable[..., Any] = "rbf"
    kernel_params: dict[str, Any] | None = None
    ridge: float = 1.0
    gamma: float | None = None
    degree: int = 3
    coef0: float = 1.0
    rank: int | None = None

    _method: ClassVar[str] = "kpca"

    def _kind(self) -> str:
        return "matrix" if self._given() else "points"

    def _given(self) -> bool:
        """Whether X is a kernel matrix."""
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _computed_here(self, X: Any) -> bool:
        """Whether the kernel of these points is computed in Python."""
        return callable(self.kernel) or self.kernel in PAIRWISE or issparse(X)

    def _core(self) -> str:
        here = self._given() or callable(self.kernel) or self.kernel in PAIRWISE
        return "precomputed" if here else self._method

    def _takes_sparse(self, reset: bool) -> bool:
        return self.strategy not in MOVING if self._kind() == "points" else reset

    def _core_takes(self, X: Any) -> bool:
        return self._kind() == "points" and not self._computed_here(X)

    def _parameters(self, seed: int | None = None) -> dict[str, Any]:
        parameters = super()._parameters(seed)
        if self._core() != "precomputed":
            return parameters
        return {**parameters, **OF_KERNEL}

    def _input(self, X: Any) -> Input:
        self._X: Any = None
        self._scale = 1.0
        dims: dict[str, Any] = {}
        if self._given():
            kernel = X
        elif self._computed_here(X):
            #: What new points are compared with.
            self._X = X.copy()
            kernel = symmetric(self._kernel(X, X, self._scale_of(X)))
        else:
            kernel = None
        if self.n_components is None:
            there = self._kernel(X, X, self._scale_of(X)) if kernel is None else kernel
            dims["n_components"] = informative(there) or 1
        if kernel is None:
            # Only these strategies look at neighbours.
            changed, told = self._reduced(X.shape[0]) if self.strategy in MOVING else ({}, [])
            return Input(X, "points", self._method, {**changed, **dims}, told)
        # Orthogonal to the constant: that is what centring the kernel does.
        trivial = {"trivial": np.ones(X.shape[0])}
        return Input(kernel, "matrix", "precomputed", {**OF_KERNEL, **trivial, **dims})

    def _new_points(self, X: Any) -> Any:
        return X if getattr(self, "_X", None) is None else self._kernel(X, self._X, self._scale)

    @property
    def gamma_(self) -> float:
        """The scale of the kernel: the one that was given or chosen."""
        check_is_fitted(self)
        if self.gamma is not None:
            return self.gamma
        chosen = self._facts["chosen"].get("gamma")
        return self._scale if chosen is None else chosen

    def _scale_of(self, X: Any) -> float:
        """The scale of the kernel of points, which is kept."""
        spread = total_variance(X)
        usual = 1 / spread if spread > 0 else 1.0
        self._scale = usual if self.gamma is None else self.gamma
        return self._scale

    def _kernel(self, X: Any, Y: Any, gamma: float) -> np.ndarray:
        """The kernel of each row of X with each of Y."""
        numbers = {"gamma": gamma, "degree": self.degree, "coef0": self.coef0}
        return kernel_matrix(X, Y, self.kernel, self.kernel_params, **numbers)

    def _trained(self) -> tuple[np.ndarray, np.ndarray] | None:
        if getattr(self, "_X", None) is None:
            return super()._trained()
        return None if issparse(self._X) else (self._X, self.embedding_.astype(float))

    def _regresses(self) -> bool:
        """Whether the kernel can be that of coordinates, too: others may need positive ones."""
        return isinstance(self.kernel, str) and self.kernel in OWN

    def _inverted(self, points: np.ndarray, values: np.ndarray, Y: np.ndarray) -> np.ndarray:
        """Kernel ridge regression of the points on their coordinates, in the usual scaling."""
        if not self._regresses():
            return super()._inverted(points, values, Y)
        values = values * self.lengths_
        return self._kernel(Y * self.lengths_, values, self.gamma_) @ self.dual_coef_

    @property
    def dual_coef_(self) -> np.ndarray:
        """The coefficients of the inverse transform, computed when they are first asked for."""
        if "dual" not in self._measured:
            trained = self._trained() if self._regresses() else None
            if trained is None:
                raise AttributeError("dual_coef_: the way back is no regression by this kernel")
            points, values = trained
            values = values * self.lengths_
            kernel = self._kernel(values, values, self.gamma_)
            self._measured["dual"] = ridge_coefficients(kernel, points, self.ridge)
        return self._measured["dual"]


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
