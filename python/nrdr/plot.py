"""Pictures by matplotlib, which is an optional extra: ``pip install nrdr[plot]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
        Labels or numbers that colour the points.
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
    table = np.asarray(getattr(fitted, "embedding_", fitted), dtype=float)
    if table.ndim != 2 or max(dims) >= table.shape[1]:
        raise ValueError(f"dims = {dims} is out of range: the embedding has shape {table.shape}")
    if ax is None:
        ax = plt.subplots(layout="constrained")[1]
    across, up = table[:, dims[0]], table[:, dims[1]]
    scatter = {"s": 8, **scatter}
    if y is None:
        ax.scatter(across, up, **scatter)
    else:
        coloured(ax, across, up, np.asarray(y).ravel(), scatter)
    ax.set(xlabel=f"coordinate {dims[0] + 1}", ylabel=f"coordinate {dims[1] + 1}")
    if hasattr(fitted, "report_"):
        ax.set_title(fitted.report_["verdict"], fontsize="small", wrap=True)
    return ax


def coloured(ax: Any, across: Any, up: Any, y: np.ndarray, scatter: dict[str, Any]) -> None:
    """Points with colours: a legend of few labels, a bar of many numbers."""
    distinct = np.unique(y)
    if np.issubdtype(y.dtype, np.number) and len(distinct) > MOST_LABELS:
        ax.figure.colorbar(ax.scatter(across, up, c=y, **scatter), ax=ax)
        return
    for label in distinct:
        there = y == label
        ax.scatter(across[there], up[there], label=str(label), **scatter)
    ax.legend(markerscale=2, fontsize="small")
