"""What the whole command costs beside the library's embedding: processor time.

`nrdr embed FILE.csv -o OUT.csv` reads, embeds by the default strategy, embeds by the original
method to stand beside it, measures the redundancy and the quality of both, and writes. The library
embeds the same points from memory. Both run in turns, and a ratio is the median of those of the
turns.
"""

from __future__ import annotations

import array
import statistics
import subprocess
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import data
from environment import COMMAND, STRATEGY, machine, mnist_images
from process import run, show_seconds
from report import table, thousands, verdict

TURNS = 5
NEIGHBORS, DIMS = "10", "2"
"""The command's own."""
ROLLS = [2_000, 10_000, 100_000]
IMAGES = 3_000
MOST_TIMES = 2
HEADER = ["points", "library", "command", "ratio", "goal", ""]


def section(quick: bool, repeats: int) -> str:
    """Swiss rolls, and images: points of many columns."""
    del repeats
    turns = 1 if quick else TURNS
    sets = {
        f"Swiss roll, {thousands(n)}": (data.swiss_roll(n), 3)
        for n in ROLLS
        if not quick or n <= 10_000
    }
    images = mnist_images()
    if images is not None:
        sets[f"MNIST, {thousands(IMAGES)}"] = (data.mnist(images, IMAGES), data.IMAGE)
    rows = [row(name, file, columns, turns) for name, (file, columns) in sets.items()]
    return (
        f"Processor time of `nrdr embed points.csv -o embedding.csv`, with reading, measuring and "
        f"writing, beside that of the library's default embedding of the same points; medians of "
        f"{turns} turns. {machine()}.\n\n{table(HEADER, rows)}"
    )


def row(name: str, file: Path, columns: int, turns: int) -> list[str]:
    """One set of points."""
    pairs = []
    with tempfile.TemporaryDirectory() as place:
        points, out = Path(place, "points.csv"), Path(place, "embedding.csv")
        write_csv(file, columns, points)
        for _ in range(turns):
            pairs.append((library(file, columns), command(points, out)))
    ratio = statistics.median(b / a for a, b in pairs)
    times = [show_seconds(statistics.median(side)) for side in zip(*pairs, strict=True)]
    print(name, *times, f"{ratio:.2f}", flush=True)
    return [name, *times, f"{ratio:.2f}", f"≤ {MOST_TIMES}", verdict(ratio <= MOST_TIMES)]


def write_csv(file: Path, columns: int, to: Path) -> None:
    """The points as the command reads them."""
    with file.open("rb") as source, to.open("w") as out:
        out.write(",".join(f"x{c}" for c in range(columns)) + "\n")
        while row := source.read(8 * columns):
            out.write(",".join(map(repr, array.array("d", row))) + "\n")


def library(file: Path, columns: int) -> float:
    """Seconds of the embedding alone."""
    source = [str(file), str(columns), "lem", NEIGHBORS, DIMS, "1", "-", "priced"]
    ran = run([str(STRATEGY), "embed", *source])
    if ran.seconds is None:
        raise SystemExit(f"the library {ran.problem}")
    return ran.details["processor"]


def command(points: Path, out: Path) -> float:
    """Seconds of the whole command."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([str(COMMAND), "embed", points, "-o", out], check=True, capture_output=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
