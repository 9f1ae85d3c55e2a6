"""How our time grows with the number of points."""

from __future__ import annotations

from math import log
from statistics import linear_regression

from data import swiss_roll
from environment import OURS, machine
from process import Run, run
from report import table, thousands, verdict

NEIGHBORS = 12
METHODS = ["lem", "ltsa"]
SIZES = [10_000, 20_000, 50_000, 100_000, 200_000]
QUICK_SIZES = [2_000, 5_000, 10_000]
TARGET = 1.3


def section(quick: bool, repeats: int) -> str:
    """Measures and tells."""
    sizes = QUICK_SIZES if quick else SIZES
    header = ["method", *map(thousands, sizes), "exponent", "target", ""]
    rows = [row(method, sizes, repeats) for method in METHODS]
    return (
        f"Swiss roll without noise, {NEIGHBORS} neighbours, two coordinates; wall time of the "
        f"embedding alone, best of {repeats}, and peak memory at each number of points. The "
        f"exponent is that of the power of N fitted to the times by least squares of their "
        f"logarithms. {machine()}.\n\n{table(header, rows)}"
    )


def row(method: str, sizes: list[int], repeats: int) -> list[str]:
    """A method's times and the exponent of their growth."""
    runs = [time(method, n, repeats) for n in sizes]
    target = f"≤ {TARGET}"
    known = [
        (log(n), log(r.seconds)) for n, r in zip(sizes, runs, strict=True) if r.seconds is not None
    ]
    if len(known) < len(sizes):
        return [method.upper(), *map(str, runs), "–", target, verdict(False)]
    exponent, _ = linear_regression(*zip(*known, strict=True))
    return [method.upper(), *map(str, runs), f"{exponent:.2f}", target, verdict(exponent <= TARGET)]


def time(method: str, n: int, repeats: int) -> Run:
    """Our run at `n` points."""
    command = [str(OURS), method, str(swiss_roll(n)), "3", str(NEIGHBORS), str(repeats)]
    result = run(command)
    print(f"growth {method} {thousands(n)}: {result}", flush=True)
    return result
