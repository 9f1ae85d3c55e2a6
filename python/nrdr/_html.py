"""What Jupyter shows of a fit: the verdict, a picture, and how redundant the coordinates are."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from ._redundancy import predictable

__all__ = ["escape", "of_fit"]

#: Points drawn at most.
MOST = 2000
SIZE = 240


def of_fit(estimator: Any) -> str:
    """The fit as HTML that needs nothing else."""
    report = estimator.report_
    n, dims = estimator.embedding_.shape
    head = f"{type(estimator).__name__}, {report['strategy']}: {n} points, {dims} coordinate(s)"
    warnings = "".join(f"<li>{escape(text)}</li>" for text in report["warnings"])
    return (
        '<div class="nrdr" style="font-family:sans-serif;font-size:13px;max-width:560px">'
        f"<b>{escape(head)}</b><p>{escape(report['verdict'])}</p>"
        f'<div style="display:flex;gap:20px">{scatter(estimator.embedding_)}'
        f"{bars(estimator.redundancy_)}</div>{warnings and f'<ul>{warnings}</ul>'}</div>"
    )


def scatter(embedding: np.ndarray) -> str:
    """The first two coordinates, or the first over the number of the point."""
    shown = embedding[~np.isnan(embedding).any(axis=1)]
    if shown.shape[1] == 1:
        shown = np.column_stack([np.arange(len(shown)), shown[:, 0]])
    shown = shown[:: -(-len(shown) // MOST) or 1, :2]
    least, most = shown.min(axis=0), shown.max(axis=0)
    places = 8 + (SIZE - 16) * (shown - least) / np.where(most > least, most - least, 1.0)
    dots = "".join(f"M{x:.1f} {SIZE - y:.1f}h0" for x, y in places)
    return (
        f'<svg width="{SIZE}" height="{SIZE}" role="img" aria-label="coordinates 1 and 2">'
        f'<rect width="{SIZE}" height="{SIZE}" fill="none" stroke="#bbb"/>'
        f'<path d="{dots}" stroke="#3465a4" stroke-width="3" stroke-linecap="round" '
        'stroke-opacity="0.6"/></svg>'
    )


def bars(errors: np.ndarray) -> str:
    """How much of each coordinate is predictable from the earlier ones."""
    rows = []
    for i, error in enumerate(errors[1:11], start=2):
        share = 100 * predictable(error)
        color = "#cc3311" if share > 50 else "#3465a4"
        rows.append(
            f'<div style="display:flex;gap:6px;align-items:center">{i}'
            f'<div style="width:120px;background:#eee"><div style="width:{share:.0f}%;height:10px;'
            f'background:{color}"></div></div>{share:.0f} %</div>'
        )
    return f"<div>predictable from the earlier ones{''.join(rows)}</div>" if rows else ""
