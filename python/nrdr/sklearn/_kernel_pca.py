"""Kernel PCA with scikit-learn's parameters."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import KernelCenterer
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from .._inverse import ridge_coefficients
from .._kernels import OWN, ROUNDING, informative, kernel_matrix
from .._matrices import KernelPCA as Ours
from ..typing import Strategy
from ._shim import Shim, fitted

if TYPE_CHECKING:
    from typing_extensions import Self

#: A negative eigenvalue is significant from this share of the largest on.
SIGNIFICANT = 1e-5


class KernelPCA(Shim):
    """``sklearn.decomposition.KernelPCA`` on our core.

    Parameters
    ----------
    n_components : int, default=None
        Number of coordinates; None means as many as there are positive eigenvalues.
    kernel : str or callable, default="linear"
        The kernel, as ``sklearn.metrics.pairwise_kernels`` takes it, or "precomputed".
    gamma : float, default=None
        Scale of the kernel; one over the number of columns by default.
    degree : float, default=3
        Power of the poly kernel.
    coef0 : float, default=1
        Constant of the poly and sigmoid kernels.
    kernel_params : dict, default=None
        Parameters of a callable kernel.
    alpha : float, default=1.0
        Regularisation of the inverse transform. The width of a strategy's smoother goes into
        ``strategy_params``.
    fit_inverse_transform : bool, default=False
        Whether there is to be an ``inverse_transform``.
    eigen_solver : {"auto", "dense", "arpack", "randomized"}, default="auto"
        "dense" is the core's; with the other words it chooses.
    tol : float, default=0
        Not used: the core's tolerance is 1e-8.
    max_iter : int, default=None
        Not used.
    iterated_power : int or "auto", default="auto"
        Not used.
    remove_zero_eig : bool, default=False
        Whether coordinates without an eigenvalue are left out.
    random_state : int, RandomState or None, default=None
        Start of the random numbers, on which the result depends only within the tolerance.
    copy_X : bool, default=True
        Not used: what is kept is a copy.
    n_jobs : int or None, default=None
        Number of threads; None means all cores. The result does not depend on it.
    strategy : str, default="orthogonal"
        What a coordinate owes to the earlier ones; see ``nrdr.KernelPCA``.
    strategy_params : dict, default=None
        Parameters of the strategy.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues of the centred kernel.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        The eigenvectors, or what the strategy made instead, of unit length.
    gamma_ : float
        The scale of the kernel.
    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features)
        The points of the fit.
    dual_coef_ : ndarray of shape (n_samples, n_features)
        The coefficients of the inverse transform.
    X_transformed_fit_ : ndarray of shape (n_samples, n_components)
        The coordinates, where there is an inverse transform.
    estimator_ : nrdr.KernelPCA or None
        The estimator of ours that was fitted; None where all points are equal.

    Examples
    --------
    >>> from nrdr.sklearn import KernelPCA
    >>> from sklearn.datasets import load_digits
    >>> X, _ = load_digits(return_X_y=True)
    >>> KernelPCA(n_components=7, kernel="linear").fit_transform(X[:100]).shape
    (100, 7)
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: Any = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: str = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: int | str = "auto",
        remove_zero_eig: bool = False,
        random_state: Any = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        strategy: Strategy = "orthogonal",
        strategy_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.strategy = strategy
        self.strategy_params = strategy_params

    def _given(self) -> bool:
        """Whether X is a kernel matrix."""
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _fit(self, X: Any) -> Self:
        if self.fit_inverse_transform and self._given():
            raise ValueError(
                "Cannot fit_inverse_transform with a precomputed kernel: it has no points"
            )
        sparse = False if self.fit_inverse_transform else "csr"
        X = validate_data(
            self, X, accept_sparse=sparse, dtype=(np.float64, np.float32), ensure_min_samples=2
        )
        self.X_fit_ = X.copy()
        self.gamma_ = 1 / X.shape[1] if self.gamma is None else self.gamma
        self._centerer: KernelCenterer | None = None
        dims = self._dims(X)
        # The centred kernel has one eigenvalue less than points; what is wanted beyond is zero.
        self.estimator_ = self._inside(X, min(dims, X.shape[0] - 1))
        self.eigenvalues_ = np.zeros(dims)
        self.eigenvectors_ = np.zeros((X.shape[0], dims), dtype=X.dtype)
        if self.estimator_ is not None:
            found = sound(self.estimator_.eigenvalues_)
            self.eigenvalues_[: len(found)] = found
            self.eigenvectors_[:, : len(found)] = self.estimator_.embedding_
        if self.fit_inverse_transform:
            self.X_transformed_fit_ = self._coordinates()
            kernel = self._kernel(self.X_transformed_fit_, self.X_transformed_fit_)
            self.dual_coef_ = ridge_coefficients(kernel, self.X_fit_.astype(float), self.alpha)
        return self

    def _dims(self, X: Any) -> int:
        """How many coordinates there are to be."""
        if self.n_components is not None and not self.remove_zero_eig:
            return min(self.n_components, X.shape[0])
        there = informative(self._matrix(X, X))
        return there if self.n_components is None else min(self.n_components, there)

    def _inside(self, X: Any, dims: int) -> Ours | None:
        """The estimator of ours, fitted; None where there is nothing to tell points apart."""
        common = {
            "n_components": dims,
            "eigen_solver": self.eigen_solver,
            "random_state": self.random_state,
            "n_jobs": self.n_jobs,
        }
        if self._by_core(X):
            if dims == 0 or not np.ptp(X, axis=0).any():
                return None
            own = {"gamma": self.gamma_, "degree": int(self.degree), "coef0": self.coef0}
            return fitted(self._ours(Ours, kernel=self.kernel, **own, **common), X)
        kernel = self._matrix(X, X)
        centerer = KernelCenterer().fit(kernel)
        self._centerer = centerer
        kernel = rounded_off(centerer.transform(kernel))
        if dims == 0 or not kernel.any():
            return None
        return fitted(self._ours(Ours, kernel="precomputed", **common), kernel)

    def _matrix(self, X: Any, Y: Any) -> np.ndarray:
        """The kernel of each row of X with each of Y, computed or as it was given."""
        if not self._given():
            return self._kernel(X, Y)
        return (X.toarray() if issparse(X) else X).astype(float)

    def _by_core(self, X: Any) -> bool:
        """Whether the core has this kernel."""
        whole = isinstance(self.degree, Integral) or float(self.degree).is_integer()
        named = isinstance(self.kernel, str) and self.kernel in OWN
        return named and whole and not issparse(X)

    def _kernel(self, X: Any, Y: Any) -> np.ndarray:
        numbers = {"gamma": self.gamma_, "degree": self.degree, "coef0": self.coef0}
        return kernel_matrix(X, Y, self.kernel, self.kernel_params, **numbers)

    def _coordinates(self) -> np.ndarray:
        lengths = np.sqrt(self.eigenvalues_)
        return (self.eigenvectors_ * lengths).astype(self.eigenvectors_.dtype, copy=False)

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def transform(self, X: Any) -> np.ndarray:
        """Returns the coordinates of new points.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features)
            New points, or their kernel with those of the fit.

        Returns
        -------
        embedding : ndarray of shape (n_new, n_components)
            Their coordinates.
        """
        check_is_fitted(self)
        sparse = False if self.fit_inverse_transform else "csr"
        X = validate_data(
            self, X, accept_sparse=sparse, dtype=(np.float64, np.float32), reset=False
        )
        coordinates = np.zeros((X.shape[0], len(self.eigenvalues_)), dtype=X.dtype)
        if self.estimator_ is None:
            return coordinates
        if self._centerer is not None:
            X = self._centerer.transform(self._matrix(X, self.X_fit_))
        found = np.asarray(self.estimator_.transform(X))
        count = found.shape[1]
        coordinates[:, :count] = found * np.sqrt(self.eigenvalues_[:count])
        return coordinates

    @property
    def inverse_transform(self) -> Any:
        """The function from coordinates back to points, approximately: a kernel ridge regression.

        It is there with ``fit_inverse_transform=True`` only, as in scikit-learn: without it a
        NotFittedError says so.
        """
        if not self.fit_inverse_transform:
            raise NotFittedError("there is no inverse transform: set fit_inverse_transform=True")
        return self._inverse_transform

    def _inverse_transform(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = check_array(X, dtype=(np.float64, np.float32))
        kernel = self._kernel(X, self.X_transformed_fit_)
        return (kernel @ self.dual_coef_).astype(X.dtype, copy=False)

    def __sklearn_tags__(self) -> Tags:
        """What scikit-learn may expect."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.fit_inverse_transform
        tags.input_tags.pairwise = self._given()
        return tags


def rounded_off(kernel: np.ndarray) -> np.ndarray:
    """A kernel that is symmetric but for rounding, without that; another one as it is."""
    largest = np.abs(kernel).max()
    if np.abs(kernel - kernel.T).max() > SIGNIFICANT * largest:
        return kernel
    return 0.5 * (kernel + kernel.T)


def sound(eigenvalues: np.ndarray) -> np.ndarray:
    """The eigenvalues of a kernel, zero where they are rounding; negative ones are an error."""
    largest = eigenvalues.max(initial=0)
    if eigenvalues.min(initial=0) < -SIGNIFICANT * largest:
        raise ValueError(
            f"There are significant negative eigenvalues ({eigenvalues.min():.3g}, the largest is "
            f"{largest:.3g}): the kernel is not positive semidefinite; lower n_components"
        )
    return np.where(eigenvalues > ROUNDING * largest, eigenvalues, 0.0)
