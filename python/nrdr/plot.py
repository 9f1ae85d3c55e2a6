"""Pictures by matplotlib, which is an optional extra: ``pip install nrdr[plot]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_consistent_length

from . import _nrdr
from ._given import Known, embedding_of, known

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The colour of points without a number.
MISSING = "#999999"
#: Numbers with more different values than this get a colour bar instead of a legend.
MOST_LABELS = 20


def embedding(
    fitted: Any,
    y: Any = None,
    *,
    dims: tuple[int, int] = (0, 1),
    ax: Axes | None = None,
    **scatter: Any,
) -> Axes:
    """Draws two coordinates of an embedding.

    Parameters
    ----------
    fitted : fitted estimator of nrdr, or array-like of shape (n_samples, n_components)
        The embedding.
    y : array-like of shape (n_samples,), optional
        Labels or numbers that colour the points. Points without a number are grey, those without a
        label have a colour of their own.
    dims : (int, int), default=(0, 1)
        Which coordinates are drawn, counted from 0.
    ax : matplotlib Axes, optional
        Where; by default a new figure.
    **scatter
        Further arguments of ``Axes.scatter``.

    Returns
    -------
    ax : matplotlib Axes
        The picture.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import nrdr
    >>> import nrdr.plot
    >>> X, truth = nrdr.datasets.make_swiss_roll(300)
    >>> ax = nrdr.plot.embedding(nrdr.LaplacianEigenmaps().fit(X), truth[:, 0])
    >>> ax.get_xlabel()
    'coordinate 1'
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot needs matplotlib: pip install nrdr[plot]") from error
    table = np.asarray(embedding_of(fitted), dtype=float)
    if table.ndim != 2 or len(dims) != 2 or not all(0 <= dim < table.shape[1] for dim in dims):
        raise ValueError(f"dims = {dims} is out of range: the embedding has shape {table.shape}")
    if y is not None:
        check_consistent_length(table, y)
    if ax is None:
        ax = plt.subplots(layout="constrained")[1]
    across, up = table[:, dims[0]], table[:, dims[1]]
    scatter = {"s": 8, **scatter}
    if y is None:
        ax.scatter(across, up, **scatter)
    else:
        coloured(ax, across, up, known(y, MOST_LABELS), scatter)
    ax.set(xlabel=f"coordinate {dims[0] + 1}", ylabel=f"coordinate {dims[1] + 1}")
    if hasattr(fitted, "report_"):
        ax.set_title(fitted.report_["verdict"], fontsize="small", wrap=True)
    return ax


def coloured(ax: Any, across: Any, up: Any, y: Known, scatter: dict[str, Any]) -> None:
    """Points with colours: a legend of few labels, a bar of many numbers; grey without either."""
    if y.numbers is not None:
        there = ~np.isnan(y.numbers)
        ax.scatter(across[~there], up[~there], **{**scatter, "color": MISSING})
        drawn = ax.scatter(across[there], up[there], c=y.numbers[there], **scatter)
        ax.figure.colorbar(drawn, ax=ax)
        return
    for code, label in enumerate(y.labels):
        there = y.codes == code
        ax.scatter(across[there], up[there], label=shown(label), **scatter)
    ax.legend(markerscale=2, fontsize="small")


def shown(text: str) -> str:
    """A label as a picture can hold it: in one line, and no formula, which dollars would begin."""
    return _nrdr.printable(text).replace("$", r"\$")
