"""How redundant an embedding is, from here or from elsewhere."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_array

from . import _nrdr
from ._arguments import seed_of, whole
from ._threads import threads_of
from .typing import Bandwidth, Seed

#: The standard error of an error, at most.
ACCURACY = 0.01

#: The core takes no larger numbers.
LARGEST = 1e150


@dataclass(frozen=True)
class Redundancy:
    """How redundant the coordinates of an embedding are.

    Attributes
    ----------
    errors : ndarray of shape (n_components,)
        For each coordinate the error of predicting it from the earlier ones: 1 is new, 0 is a
        function of them. The first has none to be predicted from.
    standard_errors : ndarray of shape (n_components,)
        How far each error may be from that of all points looked at: 0 where all were predicted.
    bandwidths : ndarray of shape (n_components,)
        The bandwidth used, in standard deviations; NaN where nothing predicts better than the mean.
    pairwise : ndarray of shape (n_components, n_components)
        In row i, column j: the error of predicting coordinate i from coordinate j alone.
    points : int
        How many points were looked at.
    """

    errors: np.ndarray
    standard_errors: np.ndarray
    bandwidths: np.ndarray
    pairwise: np.ndarray
    points: int

    @property
    def verdict(self) -> str:
        """What that means, in a sentence."""
        return _nrdr.verdict(len(self.errors), self.errors.tolist())


def redundancy(
    Y: Any,
    *,
    bandwidth: Bandwidth = "best",
    sample: int = 5000,
    accuracy: float = ACCURACY,
    random_state: Seed = 0,
    n_jobs: int | None = None,
) -> Redundancy:
    """Tells how predictable each coordinate of an embedding is from the earlier ones.

    Parameters
    ----------
    Y : array-like of shape (n_samples, n_components)
        The embedding, wherever it comes from. Rows of NaN are left out, with a warning.
    bandwidth : {"best", "median-third", "datafold"}, default="best"
        How far the points reach that predict a value.
    sample : int, default=5000
        Of more points than this a random sample is measured.
    accuracy : float, default=0.01
        Standard error of an error, at most: so many points of the sample are predicted from all
        others; 0 predicts all.
    random_state : int, RandomState or None, default=0
        Of the sample.
    n_jobs : int or None, default=None
        Number of threads; None means all cores unless they are limited, -1 all in any case.

    Returns
    -------
    redundancy : Redundancy
        The errors of prediction, in all and for pairs.

    Examples
    --------
    >>> import numpy as np
    >>> import nrdr
    >>> x, y = np.random.default_rng(0).normal(size=(2, 500))
    >>> found = nrdr.redundancy(np.column_stack([x, x**2, y]))
    >>> bool(found.errors[1] < 0.1), bool(found.errors[2] > 0.9)
    (True, True)
    >>> found.verdict
    'Coordinate 2 is predictable from coordinate 1 by 100 % of its variance.'
    """
    Y = check_array(Y, dtype=(np.float64, np.float32), ensure_all_finite=False)
    seed, threads = seed_of(random_state), threads_of(n_jobs)
    sample = whole("sample", sample, least=10)
    there = rows_there(Y)
    if len(there) < len(Y):
        warnings.warn(f"{len(Y) - len(there)} row(s) of NaN are left out", stacklevel=2)
    accuracy = float(accuracy)
    told = _nrdr.redundancy(there, bandwidth, sample, accuracy, seed, threads, False)
    found = json.loads(told)
    return Redundancy(
        errors=np.array(found["errors"], dtype=float),
        standard_errors=np.array(found["standard_errors"], dtype=float),
        bandwidths=np.array(found["bandwidths"], dtype=float),
        pairwise=np.array(found["pairwise"], dtype=float),
        points=found["points"],
    )


def predictable(error: float) -> float:
    """The share of a coordinate that is predictable, by the error of predicting it."""
    return max(0.0, 1 - error**2)


@dataclass(frozen=True)
class Measured:
    """The redundancy of an embedding as the core tells it, or why it cannot be measured."""

    dims: int
    found: dict[str, Any] | None
    why: str

    @property
    def errors(self) -> list[float]:
        """The errors of prediction, NaN if they are unknown."""
        return [1.0] + [np.nan] * (self.dims - 1) if self.found is None else self.found["errors"]

    def verdict(self, original: Measured | None = None) -> str:
        """What it means, in a sentence; beside the original method, if that is given."""
        if self.found is None:
            return self.why
        beside = None if original is None or original.found is None else original.errors
        return _nrdr.verdict(self.dims, self.errors, beside)


def measure(Y: np.ndarray, *, seed: int = 0, threads: int | None = None) -> Measured:
    """Measures an embedding, if that is possible."""
    told = _nrdr.redundancy(rows_there(Y), "best", 5000, ACCURACY, seed, threads, True)
    told = json.loads(told)
    found, why = (None, told) if isinstance(told, str) else (told, "")
    return Measured(Y.shape[1], found, why)


def rows_there(Y: np.ndarray) -> np.ndarray:
    """The embedding without rows of NaN; of other values that are no numbers it tells the place."""
    left_out = np.all(np.isnan(Y), axis=1)
    if not left_out.any():
        return Y
    wrong = np.argwhere(~(np.abs(Y) < LARGEST) & ~left_out[:, None])
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(
            f"row {row}, column {column} holds {Y[row, column]}: remove the row or fill in a "
            "finite value below 1e150"
        )
    return Y[~left_out]
