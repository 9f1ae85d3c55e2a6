"""What the core is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import issparse


@dataclass
class Input:
    """What the core is given for X.

    Attributes
    ----------
    X : array or sparse matrix
        Points, or what they became in Python.
    kind : {"points", "distances", "affinities", "matrix"}
        What it is.
    method : str
        The method that the core runs.
    parameters : dict
        Parameters that are others than those of the estimator.
    warnings : list of str
        What the user should know.
    """

    X: Any
    kind: str
    method: str
    parameters: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def parts(self) -> Any:
        """An array as it is, or the parts of a sparse matrix."""
        if not issparse(self.X):
            return self.X
        X = self.X.tocsr()
        return X.data, X.indices, X.indptr


def with_short_indices(X: Any) -> Any:
    """A sparse matrix with indices of 32 bits where these do: scikit-learn may need them."""
    if X.indices.dtype == np.int32 or max(X.nnz, *X.shape) > np.iinfo(np.int32).max:
        return X
    parts = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32))
    return type(X)(parts, shape=X.shape)
