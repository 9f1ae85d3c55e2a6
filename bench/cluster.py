"""How what a run takes is shared by the ranks of MPI, beside a single machine."""

from __future__ import annotations

import array
import json
import os
import shutil
import subprocess
import time
from math import fsum, sqrt
from pathlib import Path
from typing import Any

from environment import COMMAND, DATA, ROOT, machine
from process import show_seconds
from report import table, thousands

PAGE = ROOT / "docs" / "cluster.md"
PROGRAM = COMMAND.with_name("nrdr-mpi")
HEIGHT, NEIGHBORS, DIMS = 10, 10, 3
RANKS = [1, 2, 4]
#: Points, method and strategy of each table.
CASES = [
    (200_000, "lem", "orthogonal"),
    (200_000, "ltsa", "orthogonal"),
    (1_000_000, "lem", "orthogonal"),
    (200_000, "lem", "priced"),
]
STAGES = ["partition", "neighbours", "graph", "components", "matrix", "solve"]
LIMIT = 1800
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMP_NUM_THREADS": "1",
}


def section(quick: bool, _repeats: int) -> str | None:
    """Measures and tells; nothing where there is no MPI."""
    if shutil.which("mpirun") is None:
        print("cluster: mpirun is missing (make mpi installs it)")
        return None
    subprocess.run(
        ["cargo", "build", "--release", "--locked", "-p", "nrdr-mpi", "-p", "nrdr-cli"],
        cwd=ROOT,
        check=True,
    )
    cases = [(10_000, "lem", "priced")] if quick else CASES
    parts = [case(*one) for one in cases]
    return (
        f"Swiss rolls of height {HEIGHT}, {NEIGHBORS} neighbours, {DIMS} coordinates, all ranks on "
        "one machine with a thread each, so that seconds tell little; more ranks than cores take "
        "turns. Memory is the peak of the largest rank, reading and writing included. Iterations "
        "are those of the first coordinate's solve, and the difference is the largest 1 - |corr| "
        "of any coordinate with that of `nrdr embed`. Bytes a point: what all ranks together sent "
        "in each stage, divided by the number of points, without the messages of MUMPS. "
        f"`python3 bench/run.py --only cluster`. {machine()}.\n\n" + "\n\n".join(parts)
    )


def case(n: int, method: str, strategy: str) -> str:
    """A table: a row for one machine, and one for each number of ranks."""
    points = DATA / f"cluster-{n}.npy"
    words = ["dataset", "swiss-roll", "-n", n, "--height", HEIGHT, "-o", points]
    timed([COMMAND, *words])
    options = ["-m", method, "-s", strategy, "-k", NEIGHBORS, "-d", DIMS, "--quiet"]
    alone, told = DATA / "cluster-alone.npy", DATA / "cluster.json"
    told.unlink(missing_ok=True)
    seconds = timed([COMMAND, "embed", points, *options, "-o", alone, "--json", told])
    rows = [row("one machine", seconds, told, n, "–")]
    for ranks in RANKS:
        out, told = DATA / "cluster-out", DATA / "cluster-ranks.json"
        shutil.rmtree(out, ignore_errors=True)
        told.unlink(missing_ok=True)
        words = [PROGRAM, "embed", points, *options, "--threads", 1, "-o", out, "--json", told]
        seconds = timed([*MPIRUN, "-n", ranks, *words])
        difference = f"{apart(out / points.name, alone):.0e}" if told.exists() else "–"
        rows.append(row(f"{ranks} rank{'s' if ranks > 1 else ''}", seconds, told, n, difference))
        print(f"cluster {thousands(n)} {method} {rows[-1]}", flush=True)
    title = f"### {thousands(n)} points, {method.upper()}, `{strategy}`"
    header = ["", "solver", "iterations", "memory a rank", "seconds", "difference", *STAGES]
    return f"{title}\n\n{table(header, rows)}"


def timed(words: list[Any]) -> float:
    """How long a command takes."""
    start = time.monotonic()
    settings = {**os.environ, **SETTINGS}
    command = [str(word) for word in words]
    try:
        subprocess.run(command, env=settings, timeout=LIMIT, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as problem:
        print(f"cluster: {problem}", flush=True)
    return time.monotonic() - start


def row(name: str, seconds: float, told: Path, n: int, difference: str) -> list[str]:
    """The cells of a run."""
    if not told.exists():
        return [name, "did not end", *["–"] * (4 + len(STAGES))]
    known = json.loads(told.read_text())
    ranks = known.get("ranks", [])
    peak = max((rank["peak_memory_mb"] for rank in ranks), default=known["peak_memory_mb"])
    sent = [sum(rank["sent"].get(stage, 0) for rank in ranks) / n for stage in STAGES]
    return [
        name,
        known["solver"],
        str(known["iterations"][0]),
        f"{peak:,.0f} MB",
        show_seconds(seconds),
        difference,
        *(f"{of_stage:.3g}" if ranks else "–" for of_stage in sent),
    ]


def apart(file: Path, other: Path) -> float:
    """The largest 1 - |corr| of two embeddings' coordinates."""
    ours, theirs = numbers(file), numbers(other)
    return max(1 - abs(correlation(ours[i::DIMS], theirs[i::DIMS])) for i in range(DIMS))


def numbers(file: Path) -> array.array[float]:
    """All numbers of an array in .npy, row after row."""
    with file.open("rb") as opened:
        head = opened.read(10)
        opened.seek(10 + int.from_bytes(head[8:10], "little"))
        values = array.array("d")
        values.frombytes(opened.read())
    return values


def correlation(x: array.array[float], y: array.array[float]) -> float:
    """That of two lists of numbers."""
    x_mean, y_mean = fsum(x) / len(x), fsum(y) / len(y)
    xy = fsum((a - x_mean) * (b - y_mean) for a, b in zip(x, y, strict=True))
    xx, yy = fsum((a - x_mean) ** 2 for a in x), fsum((b - y_mean) ** 2 for b in y)
    return xy / sqrt(xx * yy)
