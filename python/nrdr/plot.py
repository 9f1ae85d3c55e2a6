"""Pictures by matplotlib or plotly, which are optional extras: ``pip install nrdr[plot]``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from sklearn.utils import check_consistent_length

from . import _nrdr
from ._given import Known, embedding_of, known
from .typing import Backend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from plotly.graph_objects import Figure

#: The colour of points without a number.
MISSING = "#999999"
#: Numbers with more different values than this get a colour bar instead of a legend.
MOST_LABELS = 20
#: Letters of a line of the title where the picture does not break it.
LINE = 100


@overload
def embedding(
    fitted: Any,
    y: Any = None,
    *,
    dims: Sequence[int] | None = None,
    backend: Literal["matplotlib"] = "matplotlib",
    title: str | None = None,
    ax: Axes | None = None,
    **scatter: Any,
) -> Axes: ...
@overload
def embedding(
    fitted: Any,
    y: Any = None,
    *,
    dims: Sequence[int] | None = None,
    backend: Literal["plotly"],
    title: str | None = None,
    **scatter: Any,
) -> Figure: ...
def embedding(
    fitted: Any,
    y: Any = None,
    *,
    dims: Sequence[int] | None = None,
    backend: Backend = "matplotlib",
    title: str | None = None,
    ax: Axes | None = None,
    **scatter: Any,
) -> Axes | Figure:
    """Draws coordinates of an embedding: two on a plane, three in space.

    Parameters
    ----------
    fitted : fitted estimator of nrdr, or array-like of shape (n_samples, n_components)
        The embedding.
    y : array-like of shape (n_samples,), optional
        Labels or numbers that colour the points. Points without a number are grey, those without a
        label have a colour of their own.
    dims : one to three int, optional
        Which coordinates are drawn, counted from 0; one is drawn over the numbers of the rows. By
        default the first two, or the only one.
    backend : {"matplotlib", "plotly"}, default="matplotlib"
        What draws. Pictures of plotly turn and tell the rows of points.
    title : str, optional
        What stands above; by default the verdict of a fitted estimator.
    ax : matplotlib Axes, optional
        Where; by default a new figure.
    **scatter
        Further arguments of ``Axes.scatter``, or of the markers of plotly.

    Returns
    -------
    picture : matplotlib Axes or plotly Figure
        The picture.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import nrdr
    >>> import nrdr.plot
    >>> X, truth = nrdr.datasets.make_swiss_roll(300)
    >>> fitted = nrdr.LaplacianEigenmaps(3).fit(X)
    >>> nrdr.plot.embedding(fitted, truth[:, 0]).get_xlabel()
    'coordinate 1'
    >>> nrdr.plot.embedding(fitted, dims=(0, 1, 2)).get_zlabel()
    'coordinate 3'
    """
    if backend not in ("matplotlib", "plotly"):
        raise ValueError(f"backend = {backend!r} is out of range: it must be matplotlib, plotly")
    table = np.asarray(embedding_of(fitted), dtype=float)
    names, places = chosen(table, dims)
    if y is not None:
        check_consistent_length(table, y)
    colours = None if y is None else known(y, MOST_LABELS)
    if title is None and hasattr(fitted, "report_"):
        title = fitted.report_["verdict"]
    if backend == "plotly":
        if ax is not None:
            raise ValueError("ax is an Axes of matplotlib: leave it out with backend='plotly'")
        return by_plotly(names, places, colours, title, scatter)
    return by_matplotlib(names, places, colours, title, ax, scatter)


def chosen(table: np.ndarray, dims: Sequence[int] | None) -> tuple[list[str], list[np.ndarray]]:
    """The names of the axes, and where the points are along them."""
    if table.ndim != 2 or not table.size:
        raise ValueError(f"an embedding has rows and columns, but this one has shape {table.shape}")
    dims = range(min(2, table.shape[1])) if dims is None else dims
    if not 1 <= len(dims) <= 3 or not all(0 <= dim < table.shape[1] for dim in dims):
        raise ValueError(f"dims = {dims} is out of range: the embedding has shape {table.shape}")
    names, places = [f"coordinate {dim + 1}" for dim in dims], [table[:, dim] for dim in dims]
    if len(dims) == 1:
        return ["point", *names], [np.arange(len(table)), *places]
    return names, places


def groups(y: Known | None, points: int) -> Iterator[tuple[np.ndarray, str | None, Any]]:
    """Points that are drawn together, with their label, numbers, or ``MISSING`` for neither."""
    if y is None:
        yield np.ones(points, dtype=bool), None, None
    elif y.numbers is None:
        for code, label in enumerate(y.labels):
            yield y.codes == code, label, None
    else:
        there = ~np.isnan(y.numbers)
        yield ~there, None, MISSING
        yield there, None, y.numbers[there]


def by_matplotlib(
    names: list[str],
    places: list[np.ndarray],
    y: Known | None,
    title: str | None,
    ax: Any,
    scatter: dict[str, Any],
) -> Axes:
    """Draws a scatter plot: a legend of few labels, a bar of many numbers."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot needs matplotlib: pip install nrdr[plot]") from error
    in_space = len(places) == 3
    if ax is None:
        kind = {"projection": "3d"} if in_space else {}
        _, ax = plt.subplots(layout="constrained", subplot_kw=kind)
    elif in_space != hasattr(ax, "get_zlim"):
        needed = "with projection='3d'" if in_space else "of two dimensions"
        raise ValueError(f"ax must be an Axes {needed} for {len(places)} coordinates")
    drawn: Any = None
    for there, label, colour in groups(y, len(places[0])):
        told = {"s": 8, **scatter}
        if label is not None:
            told["label"] = shown(label)
        if colour is not None:
            told["color" if colour is MISSING else "c"] = colour
        drawn = ax.scatter(*(place[there] for place in places), **told)
    if y is not None and y.numbers is None:
        ax.legend(markerscale=2, fontsize="small")
    elif y is not None:
        ax.figure.colorbar(drawn, ax=ax, label=shown(y.name))
    ax.set(**dict(zip(("xlabel", "ylabel", "zlabel"), names)))
    if title is not None:
        ax.set_title(title, fontsize="small", wrap=True)
    return ax


def by_plotly(
    names: list[str],
    places: list[np.ndarray],
    y: Known | None,
    title: str | None,
    marker: dict[str, Any],
) -> Figure:
    """Draws the same as a picture that turns and tells the rows of points."""
    try:
        from plotly import graph_objects
    except ImportError as error:
        raise ImportError("backend='plotly' needs plotly: pip install nrdr[plotly]") from error
    in_space = len(places) == 3
    trace = graph_objects.Scatter3d if in_space else graph_objects.Scattergl
    figure = graph_objects.Figure()
    rows = np.arange(len(places[0]))
    for there, label, colour in groups(y, len(rows)):
        if not there.any():
            continue
        told = {"size": 3 if in_space else 5, **marker}
        if colour is not None:
            bar = {"title": {"text": escape(y.name if y else "")}}
            told |= {"color": colour}
            told |= {} if colour is MISSING else {"colorbar": bar, "showscale": True}
        along = dict(zip("xyz", (place[there] for place in places)))
        figure.add_trace(
            trace(
                **along,
                mode="markers",
                marker=told,
                name="" if label is None else escape(_nrdr.printable(label)),
                showlegend=label is not None,
                customdata=rows[there],
                hovertemplate="row %{customdata}",
            )
        )
    axes = {f"{letter}axis": {"title": {"text": name}} for letter, name in zip("xyz", names)}
    figure.update_layout(scene=axes) if in_space else figure.update_layout(axes)
    if title is not None:
        lines = map(escape, textwrap.wrap(title, LINE))
        figure.update_layout(title={"text": "<br>".join(lines), "font": {"size": 12}})
    return figure


def shown(text: str) -> str:
    """A label as a picture can hold it: in one line, and no formula, which dollars would begin."""
    return _nrdr.printable(text).replace("$", r"\$")
