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
ALPHA = "0.3"


def section(quick: bool, repeats: int) -> str:
    """Measures and tells: the original methods, and non-redundant coordinates."""
    sizes = QUICK_SIZES if quick else SIZES
    header = ["method", *map(thousands, sizes), "exponent", "target", ""]
    original = [row(method, ["2"], sizes, repeats) for method in METHODS]
    ours = [row(method, ["3", ALPHA], sizes, repeats) for method in METHODS]
    return (
        f"Swiss roll without noise, {NEIGHBORS} neighbours; wall time of the embedding alone, best "
        f"of {repeats}, and peak memory at each number of points. The exponent is that of the "
        f"power of N fitted to the times by least squares of their logarithms. {machine()}.\n\n"
        f"Two coordinates of the original methods:\n\n{table(header, original)}\n\n"
        f"Three non-redundant coordinates, alpha {ALPHA}:\n\n{table(header, ours)}"
    )


def row(method: str, coordinates: list[str], sizes: list[int], repeats: int) -> list[str]:
    """A method's times and the exponent of their growth."""
    runs = [time(method, coordinates, n, repeats) for n in sizes]
    target = f"≤ {TARGET}"
    known = [
        (log(n), log(r.seconds)) for n, r in zip(sizes, runs, strict=True) if r.seconds is not None
    ]
    if len(known) < len(sizes):
        return [method.upper(), *map(str, runs), "–", target, verdict(False)]
    exponent, _ = linear_regression(*zip(*known, strict=True))
    return [method.upper(), *map(str, runs), f"{exponent:.2f}", target, verdict(exponent <= TARGET)]


def time(method: str, coordinates: list[str], n: int, repeats: int) -> Run:
    """Our run at `n` points; `coordinates` are their number and, if non-redundant, alpha."""
    command = [str(OURS), method, str(swiss_roll(n)), "3", str(NEIGHBORS), str(repeats)]
    result = run(command + coordinates)
    print(f"growth {method} {' '.join(coordinates)} {thousands(n)}: {result}", flush=True)
    return result
