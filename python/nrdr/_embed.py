"""From a table to its embedding, a picture and a report in one call."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from sklearn.utils import check_consistent_length

from . import _html, _report, plot
from ._base import SpectralEmbedder
from ._frames import NoNumbers, is_frame, like, no_numbers, quoted, without
from ._given import Known, known
from ._methods import class_of
from .typing import Auto, Method, Parameters

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True, eq=False, repr=False)
class Embedded:
    """What ``embed`` found.

    Attributes
    ----------
    estimator : estimator of nrdr
        The fitted estimator, for all that is not here: new points, eigenvalues, ``report_``.
    embedding : ndarray or frame of shape (n_samples, n_components)
        The coordinates; a frame with the rows of the table if that was one.
    points : ndarray or frame of shape (n_samples, n_features)
        The columns that were embedded.
    label : array-like of shape (n_samples,) or None
        The labels.
    call : str
        The call as Python writes it.
    """

    estimator: SpectralEmbedder
    embedding: Any
    points: Any
    label: Any
    call: str

    @cached_property
    def _known(self) -> Known | None:
        return None if self.label is None else known(self.label, _report.MOST_LABELS)

    @cached_property
    def _qualities(self) -> dict[str, Any]:
        y = self._known
        return self.estimator._qualities(None if y is None or y.numbers is not None else y.codes)

    @property
    def redundancy(self) -> np.ndarray:
        """The error of predicting each coordinate from the earlier ones: 1 is new, 0 redundant."""
        return self.estimator.redundancy_

    @property
    def quality(self) -> dict[str, Any] | None:
        """Whether neighbours and labels stay together, as ``quality_`` of the estimator tells."""
        return self.estimator._quality(self._qualities)

    @cached_property
    def verdict(self) -> str:
        """What was found, in sentences."""
        return self.estimator._verdict(self._qualities)

    def plot(self, **options: Any) -> Any:
        """Draws the embedding, coloured by the labels.

        Parameters
        ----------
        **options
            Those of ``nrdr.plot.embedding``: ``dims=(0, 1, 2)`` is a picture in three dimensions,
            ``backend="plotly"`` one that turns.

        Returns
        -------
        picture : matplotlib Axes or plotly Figure
            The picture.
        """
        table = np.asarray(self.embedding, dtype=float)
        return plot.embedding(table, self.label, **{"title": self.verdict, **options})

    @overload
    def report(self, path: None = None, **options: Any) -> _report.Page: ...
    @overload
    def report(self, path: _report.Name, **options: Any) -> Path: ...
    def report(self, path: _report.Name | None = None, **options: Any) -> Path | _report.Page:
        """Makes the page of ``nrdr.report``, the original method beside the embedding.

        Parameters
        ----------
        path : path-like, optional
            The file to write. Without it the page is returned, and Jupyter shows it.
        **options
            Those of ``nrdr.report``: ``images`` and ``title``.

        Returns
        -------
        report : pathlib.Path or str
            The file, or the page as HTML.
        """
        command = f"{self.call}.report({'' if path is None else repr(str(path))})"
        return _report.made(
            self.estimator, path, self.points, self.label, command=command, **options
        )

    def __repr__(self) -> str:
        """The call, the size and the verdict."""
        rows, dims = self.embedding.shape
        return f"{self.call}: {rows} points, {dims} coordinate(s)\n{self.verdict}"

    def _repr_html_(self) -> str:
        """What Jupyter shows."""
        return _html.of_fit(self.estimator, self.verdict, self._known)


def embed(
    data: Any,
    *,
    label: Any = None,
    method: Method = "lem",
    n_components: int | Auto = 2,
    **parameters: Unpack[Parameters],
) -> Embedded:
    """Embeds a table in one call.

    Parameters
    ----------
    data : frame of pandas or polars, or array-like of shape (n_samples, n_features)
        The points. Columns of text, categories and dates are left out, with a warning, as on the
        command line; in one that holds mostly numbers anything else is an error.
    label : name of a column, or array-like of shape (n_samples,), optional
        What the points are, for colours and for the quality. A column is left out of the points.
    method : {"lem", "dfm", "lle", "mlle", "hlle", "ltsa", "isomap", "kpca", "precomputed"}, \
default="lem"
        The method, as on the command line.
    n_components : int or "auto", default=2
        Number of coordinates, or as many as are worth having.
    **parameters
        Further parameters of the method's estimator, such as ``n_neighbors`` or ``strategy``.

    Returns
    -------
    embedded : Embedded
        ``embedding``, a frame if ``data`` is one; ``verdict``, ``redundancy`` and ``quality``;
        ``plot()`` and ``report()``; and the fitted ``estimator``.

    Examples
    --------
    >>> import nrdr
    >>> X, truth = nrdr.datasets.make_swiss_roll(500, height=10)
    >>> found = nrdr.embed(X, label=truth[:, 0] > 9, method="ltsa")
    >>> found.embedding.shape
    (500, 2)
    >>> bool(found.redundancy[1] > 0.5), bool(found.quality["accuracy"] > 0.9)
    (True, True)
    >>> found.report().startswith("<!")
    True
    """
    kind = class_of(method)
    points, values = parted(data, label)
    made: dict[str, Any] = {"n_components": n_components, **parameters}
    estimator = kind(**made)
    estimator._fit(points, None, callers=2)
    table = estimator.embedding_
    if is_frame(data):
        table = like(data, table, estimator.get_feature_names_out())
    return Embedded(estimator, table, points, values, written(label, method, made))


def parted(data: Any, label: Any) -> tuple[Any, Any]:
    """The columns that are embedded, and the labels."""
    is_name = label is not None and np.ndim(label) == 0
    if not is_frame(data):
        if is_name:
            raise ValueError(f"label = {label!r} must be an array: data has no names of columns")
        if label is not None:
            check_consistent_length(data, label)
        return data, label
    if is_name and label not in data.columns:
        names = ", ".join(map(quoted, data.columns))
        raise ValueError(f"label = {label!r} is no column of data: there are {names}")
    values = data[label] if is_name else label
    if values is not None:
        check_consistent_length(data, values)
    points = without(data, [label]) if is_name else data
    texts = [column for column in no_numbers(points) if is_text(column)]
    if len(texts) == len(points.columns):
        raise ValueError("data has no columns of numbers: give at least one beside the labels")
    if not texts:
        return points, values
    names = ", ".join(map(counted, texts))
    # To whoever called `embed`.
    warnings.warn(f"column(s) of text are left out: {names}", UserWarning, stacklevel=3)
    return without(points, [column.name for column in texts]), values


def is_text(column: NoNumbers) -> bool:
    """Whether a column is left out: by its type, or as on the command line by most of its cells."""
    return column.others == 0 or column.numbers < column.others


def counted(column: NoNumbers) -> str:
    """A column of text, and how many numbers are in it."""
    told = f" ({column.numbers} of its cells are numbers)" if column.numbers else ""
    return quoted(column.name) + told


def written(label: Any, method: str, made: dict[str, Any]) -> str:
    """The call as Python writes it, with what differs from the defaults."""
    usual = {"label": None, "method": "lem", "n_components": 2}
    given = {"label": label, "method": method, **made}
    told = [
        f"{name}={'label' if np.ndim(value) else repr(value)}"
        for name, value in given.items()
        if name not in usual or np.ndim(value) or value != usual[name]
    ]
    return f"nrdr.embed({', '.join(['data', *told])})"
