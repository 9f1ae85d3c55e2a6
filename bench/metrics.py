"""Nearest neighbours by each metric, beside scikit-learn's NearestNeighbors on the same points.

    python3 bench/metrics.py [--quick]

measures this part alone, after it has built what it needs, and prints the table.
"""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from data import written
from environment import DATA, OURS, ROOT, machine, peers
from process import Run, run, show_seconds
from report import table, thousands

NEIGHBORS = 10
SIZES = [(10_000, 20), (5_000, 784)]
QUICK = 10
"""Times fewer points."""
LIMIT = 100
"""Seconds after which a search is ended."""
HEADER = ["metric", "points", "nrdr", "scikit-learn", "ratio"]
PEER = "scikit-learn"
#: Ours, and the data that it is measured on.
METRICS = {
    "euclidean": "sheet",
    "cosine": "sheet",
    "correlation": "sheet",
    "manhattan": "sheet",
    "chebyshev": "sheet",
    "minkowski:3": "sheet",
    "minkowski:1.5": "sheet",
    "hamming": "levels",
    "hamming, 0 and 1": "bits",
    "haversine": "places",
}


def section(quick: bool, repeats: int) -> str:
    """Measures and tells."""
    peer = peers([PEER])[PEER]
    if peer.problem:
        return f"{PEER} {peer.problem}."
    rows = []
    for size, columns in SIZES:
        n = size // QUICK if quick else size
        for name, kind in METRICS.items():
            if kind == "places" and columns != SIZES[0][1]:
                continue
            width = 2 if kind == "places" else columns
            found = row(name, points(kind, n, width), width, repeats, str(peer.python))
            rows.append([name, f"{thousands(n)} x {width}", *found])
            print(*rows[-1], sep="  ", flush=True)
    return (
        f"The {NEIGHBORS} nearest neighbours of every point, exact; wall time of the search alone, "
        f"best of {repeats}, all cores on both sides. Points near a bent sheet of four dimensions "
        "with noise; for Hamming ten levels of such numbers, or two; places all over a sphere. "
        f"{peer.version()}. `python3 bench/metrics.py`. {machine()}.\n\n{table(HEADER, rows)}"
    )


def row(name: str, file: Path, columns: int, repeats: int, python: str) -> list[str]:
    """Our time, theirs, and how many times as long theirs is."""
    metric, given = name.partition(",")[0], [str(file), str(columns), str(NEIGHBORS)]
    ours = run([str(OURS), "neighbors", *given, str(repeats), "exact", metric], LIMIT)
    script = str(Path(__file__).with_name("peer.py"))
    theirs = run([python, script, PEER, f"neighbors:{metric}", *given, str(repeats)], LIMIT)
    return [told(ours), told(theirs), ratio(ours, theirs)]


def told(found: Run) -> str:
    """Its time, or why there is none."""
    return found.problem if found.seconds is None else show_seconds(found.seconds)


def ratio(ours: Run, theirs: Run) -> str:
    """How many times as long theirs took."""
    if ours.seconds is None:
        return "–"
    if theirs.seconds is None:
        return f"> {LIMIT / ours.seconds:.0f}" if theirs.timed_out else "–"
    return f"{theirs.seconds / ours.seconds:.1f}"


def points(kind: str, n: int, columns: int) -> Path:
    """Points of a kind, the same every time."""
    return written(DATA / f"{kind}-{n}-{columns}.f64", KINDS[kind](n, columns))


def sheet(n: int, columns: int) -> Iterator[list[float]]:
    """Points near a bent sheet of four dimensions, away from the origin, with noise."""
    source = random.Random(n)
    waves = [[source.gauss(0, 1) for _ in range(4)] for _ in range(columns)]
    for _ in range(n):
        place = [source.random() for _ in range(4)]
        along = (sum(w * p for w, p in zip(wave, place, strict=True)) for wave in waves)
        yield [1.5 + math.sin(2 * a) + 0.1 * source.gauss(0, 1) for a in along]


def levels(n: int, columns: int) -> Iterator[list[float]]:
    """The same in ten levels."""
    return ([float(round(4 * value)) for value in row] for row in sheet(n, columns))


def bits(n: int, columns: int) -> Iterator[list[float]]:
    """The same in two."""
    return ([float(value > 1.5) for value in row] for row in sheet(n, columns))


def places(n: int, _: int) -> Iterator[list[float]]:
    """Latitude and longitude of places all over a sphere, in radians."""
    source = random.Random(n)
    for _ in range(n):
        yield [math.asin(2 * source.random() - 1), math.pi * (2 * source.random() - 1)]


KINDS = {"sheet": sheet, "levels": levels, "bits": bits, "places": places}


def main() -> None:
    """This part alone."""
    driver = ["-p", "nrdr-paper", "--example", OURS.name]
    subprocess.run(["cargo", "build", "--release", *driver, "--locked"], cwd=ROOT, check=True)
    quick = "--quick" in sys.argv
    print(f"\n{section(quick, 1 if quick else 3)}")


if __name__ == "__main__":
    main()
