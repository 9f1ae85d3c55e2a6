"""What the four estimators have in common: an estimator of ours inside."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from .._base import SpectralEmbedder

if TYPE_CHECKING:
    from typing_extensions import Self


class Shim(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """An estimator with the parameters of scikit-learn's.

    Attributes
    ----------
    estimator_ : SpectralEmbedder
        The estimator of nrdr that was fitted: it has ``report_``, ``lengths_`` and the rest.
    """

    strategy: str
    strategy_params: dict[str, Any] | None
    embedding_: np.ndarray
    estimator_: Any

    def _ours(self, kind: type[SpectralEmbedder], **parameters: Any) -> SpectralEmbedder:
        """An estimator of ours with the strategy that was asked for."""
        own = {"strategy": self.strategy, **(self.strategy_params or {})}
        return kind(**own, **parameters)

    def _fit(self, X: Any) -> Self:
        """Fits the estimator inside and takes over what it found."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> Self:
        """Embeds ``X``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            As for scikit-learn's estimator.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        return self._fit(X)

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Embeds ``X`` and returns its coordinates.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            As in ``fit``.
        y : None
            Ignored.

        Returns
        -------
        embedding : ndarray of shape (n_samples, n_components)
            The coordinates.
        """
        return self._fit(X)._coordinates()

    def _coordinates(self) -> np.ndarray:
        """Those of the points of the fit."""
        return self.embedding_

    def _take_over(self, estimator: SpectralEmbedder) -> None:
        """Keeps a fitted estimator."""
        self.estimator_ = estimator
        self.n_features_in_ = estimator.n_features_in_
        names = getattr(estimator, "feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    @property
    def redundancy_(self) -> np.ndarray:
        """The error of predicting each coordinate from the earlier ones."""
        check_is_fitted(self)
        return self.estimator_.redundancy_

    @property
    def quality_(self) -> dict[str, Any] | None:
        """Whether neighbours stayed neighbours, and whether they do in the original."""
        check_is_fitted(self)
        return self.estimator_.quality_

    @property
    def report_(self) -> dict[str, Any]:
        """All that is known of the fit."""
        check_is_fitted(self)
        return self.estimator_.report_

    @property
    def _n_features_out(self) -> int:
        return self._coordinates().shape[1]

    def __sklearn_is_fitted__(self) -> bool:
        """Whether a fit was successful."""
        return hasattr(self, "estimator_")

    def __sklearn_tags__(self) -> Tags:
        """What scikit-learn may expect."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


#: What our warnings and errors about a graph that fell apart have in them, and scikit-learn's.
OURS, THEIRS = "components (sizes", "the number of connected components is above 1"


def fitted(estimator: SpectralEmbedder, X: Any) -> SpectralEmbedder:
    """Fits; a graph that falls apart is told as scikit-learn tells it."""
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            estimator.fit(X)
    except ValueError as error:
        if OURS in str(error):
            raise RuntimeError(f"{THEIRS}: {error}") from error
        raise
    for one in told:
        text = str(one.message)
        text = f"{THEIRS}: {text}" if OURS in text else text
        # Callers: _fit, and fit or fit_transform.
        warnings.warn(text, one.category, stacklevel=4)
    return estimator
