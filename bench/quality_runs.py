"""Embeds and measures for the quality table. What was found is kept, so that a run goes on.

A result is kept by set, seed, strategy and everything that it depends on: the driver, the points,
what is known of them, the numbers of coordinates and the machine that scores. After a change of the
code all of it is measured again.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import kept
from environment import DATA, QUALITY, RENDERER
from process import Run, run

LIMIT = 90
"""Seconds of processor time for embedding and measuring a set by a strategy."""
SVM_LIMIT = 3600
HOME = DATA / "quality"
KEPT = HOME / "results"
MACHINES = {"MNIST, 3 000", "MNIST, 15 000", "8 x 8 digits"}
"""Sets that are scored by a support vector machine, too."""

Cells = dict[int, dict[str, float]]
"""By number of coordinates: what was measured."""


def sets(python: Path, quick: bool, mnist: list[str], heads: str | None) -> list[dict]:
    """The sets, written by a Python that has scikit-learn, unless they are there."""
    home = HOME / ("few" if quick else "all")
    sources = [*mnist, str(RENDERER), *([heads] if heads else [])]
    files = [Path(source) for source in sources if source != "-"]
    stamp, listed = home / "stamp.json", home / "sets.json"
    wanted = {"of": kept.digest(script("sets"), *files)}
    if kept.load(stamp) != wanted:
        command = [str(python), str(script("sets")), str(home), home.name, *sources]
        subprocess.run(command, check=True)
        kept.store(stamp, wanted)
    return kept.load(listed)["sets"]


def script(part: str) -> Path:
    """A part that needs the libraries."""
    return Path(__file__).with_name(f"quality_{part}.py")


class Measurer:
    """Measures set after set, and remembers which strategies took too long."""

    def __init__(self, python: Path) -> None:
        """Of this driver."""
        self.python = python
        self.driver = kept.digest(QUALITY, script("svm"))
        self.late: dict[tuple[str, str], tuple[int, str]] = {}
        """By set and strategy: the fewest coordinates that could not be had, and why."""

    def measure(self, one: dict, strategy: str, dims: list[int]) -> Cells:
        """What is measured at each number of coordinates, as far as it can be had in time."""
        parts = [strategy, str(dims), str(one["neighbors"])]
        of = kept.digest(self.driver, Path(one["file"]), Path(one["about"]), *parts)
        path = KEPT / f"{kept.name(one['family'], one['seed'], strategy, of)}.json"
        found = kept.load(path)
        if found is None:
            found = self.found(one, strategy, dims)
            kept.store(path, found)
        if found["missing"]:
            self.note(one["family"], strategy, *found["missing"])
        return {int(d): cell for d, cell in found["cells"].items()}

    def note(self, family: str, strategy: str, least: int, why: str) -> None:
        """That so many coordinates cannot be had."""
        known = self.late.get((family, strategy))
        if known is None or least < known[0]:
            self.late[family, strategy] = (least, why)

    def found(self, one: dict, strategy: str, dims: list[int]) -> dict:
        """With as many coordinates as end in time; what another seed missed is not tried."""
        missing = self.late.get((one["family"], strategy))
        rest = [d for d in dims if missing is None or d < missing[0]]
        while rest:
            ran = embed(one, strategy, rest)
            if ran.seconds is not None:
                return {"cells": self.cells(one, ran, rest), "missing": missing}
            print(f"{one['family']} by {strategy}, {rest[-1]} coordinates: {ran.problem}")
            if not ran.timed_out and not strategy.startswith("unpredictable"):
                raise RuntimeError(f"{one['family']} by {strategy}: {ran.problem}")
            missing = (rest[-1], ran.problem)
            rest = rest[:-1]
        return {"cells": {}, "missing": missing}

    def cells(self, one: dict, ran: Run, dims: list[int]) -> dict[str, dict]:
        """What the driver and the machine tell."""
        cells = {
            str(cell["d"]): {
                "told": min(cell["told"]),
                "trust": cell["trustworthiness"],
                "spike": cell["spike"],
                "redundancy": ran.details["redundancy"][cell["d"] - 1],
            }
            for cell in ran.details["dims"]
        }
        if one["family"] in MACHINES:
            score = [f"{out()}.0", ",".join(map(str, dims)), one["about"]]
            scored = run([str(self.python), str(script("svm")), *score], processor=SVM_LIMIT)
            if scored.problem:
                raise RuntimeError(f"{one['family']}: machine {scored.problem}")
            for d, error in zip(dims, scored.details["errors"], strict=True):
                cells[str(d)]["svm"] = error
        return cells


def out() -> Path:
    """Where the driver writes coordinates; it adds the number of the strategy."""
    return HOME / "out"


def embed(one: dict, strategy: str, dims: list[int]) -> Run:
    """Embeds in the most of `dims`, and measures all of them."""
    numbers = [str(one["columns"]), str(one["neighbors"]), ",".join(map(str, dims))]
    command = [str(QUALITY), "lem", one["file"], *numbers, one["known"], str(out()), strategy]
    return run(command, processor=LIMIT)
