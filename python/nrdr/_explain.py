"""What the coordinates of an embedding tell of what is known of the points."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import check_array, check_consistent_length

from . import _nrdr
from ._arguments import seed_of
from ._frames import is_frame
from ._given import Known, embedding_of, known
from ._redundancy import rows_there
from ._threads import threads_of
from .typing import Seed

#: Numbers with more different values than this are numbers, not labels.
MOST_LABELS = 50


def explain(
    fitted: Any, X: Any = None, y: Any = None, *, random_state: Seed = 0, n_jobs: int | None = None
) -> list[dict[str, Any]]:
    """Tells what each coordinate of an embedding means.

    Parameters
    ----------
    fitted : fitted estimator of nrdr, or array-like of shape (n_samples, n_components)
        The embedding.
    X : array-like of shape (n_samples, n_features), optional
        Columns that coordinates may tell: those that were embedded, or others.
    y : array-like of shape (n_samples,), or frame or dict of several, optional
        Labels or numbers that they may tell.
    random_state : int, RandomState or None, default=0
        Of the sample: of more than 2000 points so many are looked at.
    n_jobs : int or None, default=None
        Number of threads; None means all cores unless they are limited, -1 all in any case.

    Returns
    -------
    meaning : list of dict
        For each coordinate ``columns``, those that it tells most of, best first, and ``classes``,
        the labels that it sets apart. Of each: ``alone``, the R2 of predicting it from the
        coordinate by the 10 nearest points, the point itself left out; ``beyond``, what it adds to
        the R2 of the earlier coordinates; and ``correlation`` of the ranks, or the mean ``place``
        of the class along the coordinate, from 0 to 1. Empty for fewer than 20 points.

    Examples
    --------
    >>> import nrdr
    >>> X, truth = nrdr.datasets.make_swiss_roll(800, height=10)
    >>> maps = nrdr.LaplacianEigenmaps().fit(X)
    >>> told = nrdr.explain(maps, y={"angle": truth[:, 0], "height": truth[:, 1]})
    >>> [each["columns"][0]["name"] for each in told]
    ['angle', 'height']
    """
    embedded = embedding_of(fitted)
    given = [] if y is None else knowns(y, MOST_LABELS)
    if X is None and not given:
        raise ValueError("X or y is needed: without them there is nothing to be told")
    tables = [table for table in (X, *(one.codes for one in given)) if table is not None]
    check_consistent_length(embedded, *tables)
    table = check_array(embedded, dtype=np.float64, ensure_all_finite="allow-nan")
    columns = None if X is None else table_of(X)
    return meanings(table, columns, given, seed_of(random_state), threads_of(n_jobs))


def meanings(
    table: np.ndarray,
    columns: tuple[np.ndarray, list[str]] | None,
    given: list[Known],
    seed: int,
    threads: int | None,
) -> list[dict[str, Any]]:
    """The same of coordinates, columns with names, and labels or numbers of all points."""
    rows = np.flatnonzero(~np.isnan(table).all(axis=1)).astype(np.uint32)
    told = _nrdr.explain(
        rows_there(table), rows, columns, numbers_in(given), labels_in(given), seed, threads
    )
    return json.loads(told)


def knowns(y: Any, most_labels: float = np.inf) -> list[Known]:
    """What y tells, which may be a frame or a dict of several labels or numbers of each point."""
    if isinstance(y, dict):
        return [replace(known(values, most_labels), name=str(name)) for name, values in y.items()]
    if is_frame(y):
        return [replace(known(y[name], most_labels), name=str(name)) for name in y.columns]
    return [known(y, most_labels)]


def table_of(X: Any) -> tuple[np.ndarray, list[str]]:
    """The columns and their names."""
    table = check_array(X, dtype=(np.float64, np.float32), ensure_all_finite=False)
    names = getattr(X, "columns", None)
    return table, invented(table) if names is None else [str(name) for name in names]


def invented(table: np.ndarray) -> list[str]:
    """Names of columns that have none."""
    return [f"x{c + 1}" for c in range(table.shape[1])]


def numbers_in(given: list[Known]) -> list[tuple[str, np.ndarray]]:
    """Those that are numbers, as the core takes them."""
    return [(one.name, one.numbers) for one in given if one.numbers is not None]


def labels_in(given: list[Known]) -> list[tuple[str, list[str], list[int]]]:
    """Those that are labels, as the core takes them."""
    return [(one.name, one.labels, one.codes.tolist()) for one in given if one.numbers is None]
