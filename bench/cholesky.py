"""Our sparse Cholesky factorisation beside faer's, in two orders."""

from __future__ import annotations

from pathlib import Path

from data import cube, swiss_roll
from environment import CHOLESKY, machine
from process import Run, run
from report import table, thousands

NEIGHBORS = 10
CASES = [
    ("lem", 2, [10_000, 50_000, 200_000]),
    ("ltsa", 2, [10_000, 50_000, 200_000]),
    ("lem", 3, [10_000, 50_000, 200_000]),
    ("ltsa", 3, [10_000, 50_000]),
    ("lem", 5, [10_000, 20_000]),
]
QUICK = [("lem", 2, [10_000]), ("lem", 3, [10_000])]
WHO = {"nrdr": "nrdr", "faer-amd": "faer, AMD", "faer-metis": "faer, METIS"}


def section(quick: bool, repeats: int) -> str:
    """Measures and tells."""
    cases = QUICK if quick else CASES
    rows = [row(*case, n, repeats) for *case, sizes in cases for n in sizes]
    header = ["matrix", "dimension", "points", *WHO.values(), "time of the better one over ours"]
    return (
        f"The matrices of LEM and LTSA of a Swiss roll (dimension 2) and of uniform points in "
        f"cubes, {NEIGHBORS} neighbours, made definite. Time to order and factorise, best of "
        f"{repeats}; peak memory of the whole process; entries of the factor a row. faer is 0.24, "
        f"supernodal LL', on all cores; AMD is its own order, METIS that of feral-metis. "
        f"{machine()}.\n\n{table(header, rows)}"
    )


def row(method: str, dimension: int, n: int, repeats: int) -> list[str]:
    """A matrix and what it costs whom."""
    points = swiss_roll(n) if dimension == 2 else cube(n, dimension)
    columns = 3 if dimension == 2 else dimension
    runs = {who: factorize(who, method, points, columns, repeats) for who in WHO}
    ours, *others = (r.seconds for r in runs.values())
    known = [seconds for seconds in others if seconds is not None]
    ratio = f"{min(known) / ours:.1f}" if ours is not None and known else "–"
    cells = [shown(result) for result in runs.values()]
    return [method.upper(), str(dimension), thousands(n), *cells, ratio]


def factorize(who: str, method: str, points: Path, columns: int, repeats: int) -> Run:
    """One factorisation, some times over."""
    command = [str(CHOLESKY), who, method, str(points), str(columns), str(NEIGHBORS), str(repeats)]
    result = run(command)
    print(f"cholesky {who} {method} {points.name}: {shown(result)}", flush=True)
    return result


def shown(result: Run) -> str:
    """Time, memory and fill."""
    fill = result.details.get("entries_a_row")
    return f"{result}, {fill:.0f} a row" if fill is not None else str(result)
