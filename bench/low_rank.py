"""Isomap and kernel PCA of more points than a matrix of all pairs is made of."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import data
from environment import DATA, OURS, ROOT, machine, peers
from process import KILOBYTES
from report import table, thousands

NEIGHBORS = 12
LANDMARKS = 100
HEADER = ["points", "method", "CPU time", "memory", "left of the length", "left of the height"]


@dataclass(frozen=True)
class Case:
    """A run of ours, or of tapkee."""

    points: int
    method: str
    dims: int
    strategy: str
    library: str = "nrdr"

    def name(self) -> str:
        """For the table."""
        if self.library != "nrdr":
            return f"{self.library}, {LANDMARKS} landmarks, {self.dims} coordinates"
        return f"nrdr {self.method}, {self.dims} coordinates, {self.strategy} strategy"


CASES = [
    Case(50_000, "isomap", 2, "", "tapkee"),
    Case(50_000, "isomap", 2, "original"),
    Case(50_000, "isomap", 2, "default"),
    Case(100_000, "kpca", 3, "original"),
    Case(1_000_000, "isomap", 3, "default"),
]


def section(quick: bool, repeats: int) -> str | None:
    """Measures and tells."""
    peer = peers(["tapkee"])["tapkee"]
    rows = []
    for case in CASES:
        if quick and case.points > 50_000 or case.library == "tapkee" and peer.problem:
            continue
        file, out = data.swiss_roll(case.points), DATA / "low-rank.out"
        runs = [measure(command(case, file, out, peer.python)) for _ in range(repeats)]
        seconds, megabytes = min(runs)
        cells = [f"{seconds:.1f} s", f"{megabytes:,.0f} MB"]
        if case.method == "isomap":
            cells += [f"{left:.1e}" for left in score(peer.python, file, out, case.dims)]
        else:
            cells += ["", ""]
        rows.append([thousands(case.points), case.name(), *cells])
    return (
        f"Swiss rolls of height 21, {NEIGHBORS} neighbours, no matrix of all pairs; processor time "
        f"and peak memory of the whole process, best of {repeats}. What is left of a side of the "
        "sheet is the share of its variance that no linear function of the coordinates explains. "
        f"`python3 bench/run.py --only low-rank`. {machine()}.\n\n{table(HEADER, rows)}"
    )


def command(case: Case, file: Path, out: Path, python: Path) -> list[str]:
    """What is run."""
    k, dims = str(NEIGHBORS), str(case.dims)
    if case.library == "nrdr":
        return [str(OURS), case.method, str(file), "3", k, "1", dims, case.strategy, str(out)]
    script = str(ROOT / "bench" / "sheet.py")
    return [str(python), script, "embed", str(file), str(out), k, str(LANDMARKS), dims]


def measure(words: list[str]) -> tuple[float, float]:
    """Processor seconds and peak megabytes of a process."""
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise subprocess.CalledProcessError(child.returncode, words)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / KILOBYTES


def score(python: Path, file: Path, out: Path, dims: int) -> list[float]:
    """What is left of the two sides of the sheet."""
    words = [str(python), str(ROOT / "bench" / "sheet.py"), "score", str(file), str(out), str(dims)]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return json.loads(said)["left"]
