"""What Jupyter shows of a fit: the verdict, a picture, and how redundant the coordinates are."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np

from ._given import Known
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
#: Of labels; more of them are not told apart.
COLOURS = (BLUE, RED, "#2e9e5b", "#a86bd4", "#c98a1b", "#20a0a8", "#d6609c", "#8a8a8a")


def of_fit(estimator: Any, verdict: str | None = None, y: Known | None = None) -> str:
    """The fit as HTML that needs nothing else; its verdict, if it is another, and labels."""
    report = estimator.report_
    n, dims = estimator.embedding_.shape
    head = f"{type(estimator).__name__}, {report['strategy']}: {n} points, {dims} coordinate(s)"
    warnings = "".join(f"<li>{escape(text)}</li>" for text in report["warnings"])
    return (
        '<div class="nrdr" style="font-family:sans-serif;font-size:13px;max-width:560px">'
        f"<b>{escape(head)}</b><p>{escape(verdict or report['verdict'])}</p>"
        f'<div style="display:flex;gap:20px">{scatter(estimator.embedding_, y)}'
        f"{bars(estimator.redundancy_)}</div>{warnings and f'<ul>{warnings}</ul>'}</div>"
    )


def scatter(embedding: np.ndarray, y: Known | None = None) -> str:
    """The first two coordinates, or the first over the number of the point."""
    there = np.flatnonzero(~np.isnan(embedding).any(axis=1))
    there = there[:: -(-len(there) // MOST) or 1]
    shown = embedding[there]
    across, up = "coordinate 1", "coordinate 2"
    if shown.shape[1] == 1:
        across, up = "point", "coordinate 1"
        shown = np.column_stack([there, shown[:, 0]])
    shown = shown[:, :2]
    least, most = shown.min(axis=0), shown.max(axis=0)
    places = 8 + (SIZE - 16) * (shown - least) / np.where(most > least, most - least, 1.0)
    dots = [f"M{MARGIN + right:.1f} {SIZE - top:.1f}h0" for right, top in places]
    paths = "".join(
        f'<path d="{"".join(dots[point] for point in points)}" stroke="{colour}" '
        f'stroke-width="3" stroke-linecap="round">{told}</path>'
        for points, told, colour in coloured(there, y)
    )
    side, middle = SIZE + MARGIN, SIZE / 2
    name = 'text-anchor="middle" fill="currentColor" font-size="12"'
    return (
        f'<svg width="{side}" height="{side}" role="img" aria-label="{up} over {across}" '
        'style="flex:none">'
        f'<rect x="{MARGIN + 0.5}" y="0.5" width="{SIZE - 1}" height="{SIZE - 1}" '
        'fill="none" stroke="#888"/>'
        f"{paths}"
        f'<text x="{MARGIN + middle}" y="{side - 4}" {name}>{across}</text>'
        f'<text transform="translate(12 {middle}) rotate(-90)" {name}>{up}</text></svg>'
    )


def coloured(shown: np.ndarray, y: Known | None) -> Iterator[tuple[np.ndarray, str, str]]:
    """Which of the points shown have a label in common, its title, and the colour of both."""
    if y is None or y.numbers is not None or len(y.labels) > len(COLOURS):
        yield np.arange(len(shown)), "", BLUE
        return
    for code, (label, colour) in enumerate(zip(y.labels, COLOURS)):
        title = f"<title>{escape(label)}</title>"
        yield np.flatnonzero(y.codes[shown] == code), title, colour


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
