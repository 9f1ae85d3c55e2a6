"""What Jupyter shows of a fit: the verdict, a picture, and how redundant the coordinates are."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from ._redundancy import predictable

__all__ = ["escape", "of_fit"]

#: Points drawn at most.
MOST = 2000
#: Coordinates whose redundancy is shown at most.
MOST_BARS = 10
SIZE = 240
#: Room for the names of the axes.
MARGIN = 18
#: Legible on white and on black, as are the greys.
BLUE, RED = "#3f8fdc", "#dd4b2f"


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
    across, up = "coordinate 1", "coordinate 2"
    if shown.shape[1] == 1:
        across, up = "point", "coordinate 1"
        shown = np.column_stack([np.arange(len(shown)), shown[:, 0]])
    shown = shown[:: -(-len(shown) // MOST) or 1, :2]
    least, most = shown.min(axis=0), shown.max(axis=0)
    places = 8 + (SIZE - 16) * (shown - least) / np.where(most > least, most - least, 1.0)
    dots = "".join(f"M{MARGIN + x:.1f} {SIZE - y:.1f}h0" for x, y in places)
    side, middle = SIZE + MARGIN, SIZE / 2
    name = 'text-anchor="middle" fill="currentColor" font-size="12"'
    return (
        f'<svg width="{side}" height="{side}" role="img" aria-label="{up} over {across}" '
        'style="flex:none">'
        f'<rect x="{MARGIN + 0.5}" y="0.5" width="{SIZE - 1}" height="{SIZE - 1}" '
        'fill="none" stroke="#888"/>'
        f'<path d="{dots}" stroke="{BLUE}" stroke-width="3" stroke-linecap="round"/>'
        f'<text x="{MARGIN + middle}" y="{side - 4}" {name}>{across}</text>'
        f'<text transform="translate(12 {middle}) rotate(-90)" {name}>{up}</text></svg>'
    )


def bars(errors: np.ndarray) -> str:
    """How much of each coordinate is predictable from the earlier ones, where that is known."""
    known = [(i, error) for i, error in enumerate(errors, start=1) if i > 1 and not np.isnan(error)]
    rows = []
    for i, error in known[:MOST_BARS]:
        share = 100 * predictable(error)
        rows.append(
            '<div style="display:flex;gap:6px;align-items:center">'
            f'<span style="width:20px;text-align:right">{i}</span>'
            '<div style="width:120px;background:rgba(128,128,128,0.25)">'
            f'<div style="width:{share:.0f}%;height:10px;background:{RED if share > 50 else BLUE}">'
            f"</div></div>{share:.0f} %</div>"
        )
    more = len(known) - len(rows)
    end = f"<div>and {more} more</div>" if more else ""
    return (
        f"<div>predictable from the earlier ones, % of its variance{''.join(rows)}{end}</div>"
        if rows
        else ""
    )
