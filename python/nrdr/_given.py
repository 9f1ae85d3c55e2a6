"""What users give to be looked at: coordinates, and labels or numbers, some perhaps missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted


def embedding_of(fitted: Any) -> Any:
    """The coordinates of a fitted estimator, or those that were given instead of one."""
    if hasattr(fitted, "fit"):
        check_is_fitted(fitted)
        if not hasattr(fitted, "embedding_"):
            name = type(fitted).__name__
            raise TypeError(f"{name} has no embedding_: give the coordinates themselves")
    return getattr(fitted, "embedding_", fitted)


@dataclass(frozen=True)
class Known:
    """Labels or numbers of points.

    Attributes
    ----------
    name : str
        What they are called.
    labels : list of str
        The different ones; those that are missing have one of their own, the last.
    codes : ndarray of shape (n_samples,)
        Which of the labels each point has.
    numbers : ndarray of shape (n_samples,) or None
        Numbers, if they are these; NaN where there is none.
    """

    name: str
    labels: list[str]
    codes: np.ndarray
    numbers: np.ndarray | None


def known(y: Any, most_labels: float = np.inf) -> Known:
    """What y tells of each point.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels or numbers.
    most_labels : int
        Numbers with more different values than this are no labels.

    Returns
    -------
    known : Known
        Labels, or numbers as well.
    """
    # In a list a NaN among words would become a word.
    values = np.asarray(y) if hasattr(y, "__array__") else np.array(y, dtype=object)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if values.ndim != 1:
        raise ValueError(f"y has shape {values.shape}: it must have one value for each point")
    is_missing = missing(values)
    there = values[~is_missing]
    there = np.array(there.tolist()) if there.dtype == object else there
    distinct, places = np.unique(there, return_inverse=True)
    codes = np.full(len(values), len(distinct))
    codes[~is_missing] = places.ravel()
    numbers = None
    if np.issubdtype(there.dtype, np.number) and len(distinct) > most_labels:
        numbers = np.full(len(values), np.nan)
        numbers[~is_missing] = np.where(np.isfinite(there), there, np.nan)
    labels = [str(value) for value in distinct]
    if np.issubdtype(there.dtype, np.floating):
        # Whole numbers become others where one is missing.
        labels = [label.removesuffix(".0") for label in labels]
    labels += ["missing"] * bool(is_missing.any())
    return Known(str(getattr(y, "name", None) or "y"), labels, codes, numbers)


def missing(values: np.ndarray) -> np.ndarray:
    """Where there is None, NaN, or what pandas has for it."""
    if values.dtype != object:
        return values != values

    def is_missing(value: Any) -> bool:
        try:
            return value is None or bool(value != value)
        except (TypeError, ValueError):
            return True

    return np.fromiter(map(is_missing, values), dtype=bool, count=len(values))
