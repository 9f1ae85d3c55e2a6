"""What the default strategy costs beside the original method: processor time and wall time.

Both embed the same points in turns, each time in a process of its own, and a ratio is the median of
those of the turns: so whatever else the machine does meets both alike. Reading, writing and
measuring are outside of the time.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from data import swiss_roll
from environment import STRATEGY, machine
from process import Run, run, show_megabytes, show_seconds
from report import table, thousands, verdict

ORIGINAL, DEFAULT, PAPER = ["orthogonal"], ["priced"], ["unpredictable", "alpha=0.3"]
TURNS = 5
LIMIT = 600
"""Seconds of processor time for one embedding."""

ROLL = 50_000
NOISE = 0.1
NEIGHBORS = 12
METHODS = ["lem", "ltsa"]
MOST_TIMES = {2: 2.5, 3: 4, 5: 6, 10: 12}
"""How many times the original's time so many coordinates of the default may take."""

HEADER = ["method", "coordinates", "original", "default", "processor", "wall", "goal", "", "paper"]


@dataclass(frozen=True)
class Points:
    """Points in a file, and how many neighbours each has."""

    file: Path
    columns: int
    neighbors: int


def section(quick: bool, repeats: int) -> str:
    """Swiss rolls with noise."""
    del repeats
    n, turns = (10_000, 1) if quick else (ROLL, TURNS)
    points = Points(swiss_roll(n, NOISE), 3, NEIGHBORS)
    rows = [
        row(points, method, dims, most, turns)
        for dims, most in MOST_TIMES.items()
        for method in METHODS
    ]
    return (
        f"Swiss roll with noise {NOISE}, {thousands(n)} points, {NEIGHBORS} neighbours; the "
        f"default beside the original method, both as users get them. {told(turns)} {machine()}."
        f"\n\n{table(HEADER, rows)}"
    )


def told(turns: int) -> str:
    """What the columns are."""
    return (
        "Processor time of all threads, wall time and peak memory: the medians of "
        f"{turns} turns in which original and default alternate, neighbours included, measuring "
        "not. Then the median ratios of processor time and of wall time, both of which the goal "
        "limits, and the ratio of the processor time of one run of the paper's form, alpha 0.3 (– "
        f"where that took more than {LIMIT} s or more memory than is allowed)."
    )


def row(points: Points, method: str, dims: int, most: float, turns: int) -> list[str]:
    """One method with so many coordinates."""
    pairs = []
    for _ in range(turns):
        pairs.append([embed(points, method, dims, by) for by in (ORIGINAL, DEFAULT)])
    original, default = zip(*pairs, strict=True)
    start = [method.upper(), str(dims), shown(original), shown(default)]
    print(*start, flush=True)
    if any(one.seconds is None for pair in pairs for one in pair):
        return [*start, "–", "–", f"≤ {most}", verdict(False), "–"]
    ratios = [
        statistics.median(time(b, what) / time(a, what) for a, b in pairs)
        for what in ("processor", "seconds")
    ]
    paper = embed(points, method, dims, PAPER)
    times = "–"
    if paper.seconds is not None:
        usual = statistics.median(time(one, "processor") for one in original)
        times = f"{time(paper, 'processor') / usual:.1f}"
    texts = [f"{ratio:.2f}" for ratio in ratios]
    print(*texts, times, flush=True)
    return [*start, *texts, f"≤ {most}", verdict(max(ratios) <= most), times]


def embed(points: Points, method: str, dims: int, strategy: list[str]) -> Run:
    """One embedding."""
    source = [str(points.file), str(points.columns), method, str(points.neighbors)]
    command = [str(STRATEGY), "embed", *source, str(dims), "1", "-", *strategy]
    return run(command, processor=LIMIT)


def time(ran: Run, what: str) -> float:
    """Seconds of a run that has ended."""
    return ran.details[what]


def shown(runs: Sequence[Run]) -> str:
    """The medians, or what went wrong."""
    for one in runs:
        if one.seconds is None:
            return one.problem
    times = [
        statistics.median(time(one, what) for one in runs) for what in ("processor", "seconds")
    ]
    memory = statistics.median(one.megabytes or 0 for one in runs)
    return ", ".join([*map(show_seconds, times), show_megabytes(memory)])
