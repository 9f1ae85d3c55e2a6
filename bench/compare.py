"""Ours and other libraries on the Swiss roll."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from data import swiss_roll
from environment import OURS, Peer, machine, peers
from process import LIMIT, Run, run
from report import table, thousands, verdict

NEIGHBORS = 12
SIZES = [2_000, 10_000, 50_000, 200_000]
LIBRARIES = ["tapkee", "scikit-learn", "pydiffmap", "datafold"]
HEADER = ["method", "points", "nrdr", "peer", "peer's", "ratio", "target", ""]


@dataclass(frozen=True)
class Case:
    """A method with the largest number of points that each peer is given."""

    method: str
    most: dict[str, int]

    def sizes(self) -> list[int]:
        """The numbers of points at which it is compared with anybody."""
        return [n for n in SIZES if n <= max(self.most.values())]

    def peers(self, n: int) -> list[str]:
        """Whom it is compared with at `n` points."""
        return [library for library, most in self.most.items() if n <= most]


# What makes a dense N x N matrix is not asked for 50 000 points: it would take 20 GB.
CASES = [
    Case("lem", {"tapkee": 200_000, "scikit-learn": 50_000}),
    Case("lle", {"tapkee": 200_000, "scikit-learn": 50_000}),
    Case("hlle", {"tapkee": 200_000, "scikit-learn": 50_000}),
    Case("ltsa", {"tapkee": 200_000, "scikit-learn": 50_000}),
    Case("isomap", {"tapkee": 10_000, "scikit-learn": 10_000}),
    Case("kpca", {"scikit-learn": 10_000}),
    Case("dfm", {"pydiffmap": 50_000, "datafold": 50_000, "tapkee": 2_000}),
]


@dataclass(frozen=True)
class Target:
    """How many times faster than the peer we want to be, and whether with less memory."""

    ratio: float = 1
    less_memory: bool = False

    def __str__(self) -> str:
        """The cell of a table."""
        return f"≥ {self.ratio:g}" + (", less memory" if self.less_memory else "")


TARGETS = {
    **{
        (method, n, "tapkee"): Target(5)
        for method in ("lem", "lle", "hlle", "ltsa")
        for n in (50_000, 200_000)
    },
    ("isomap", 10_000, "scikit-learn"): Target(5, less_memory=True),
    ("dfm", 50_000, "pydiffmap"): Target(10),
    ("dfm", 50_000, "datafold"): Target(10),
}
"""Elsewhere: never slower."""


def section(quick: bool, repeats: int) -> str:
    """Measures and tells."""
    installed = peers(LIBRARIES)
    rows = []
    for case in CASES:
        for n in case.sizes():
            if quick and n > 10_000:
                continue
            rows += compare(case, n, installed, repeats)
    versions = ", ".join(installed[name].version() for name in LIBRARIES)
    return (
        f"Swiss roll without noise, {NEIGHBORS} neighbours, two coordinates. {machine()}; "
        f"{versions}.\n\n"
        f"{table(HEADER, rows)}\n\n"
        f"Wall time of the embedding alone, best of {repeats} (of those that end within {LIMIT} s "
        "together), and peak memory of the whole process with the libraries it loads; ratio: the "
        "peer's time over ours."
    )


def compare(case: Case, n: int, installed: dict[str, Peer], repeats: int) -> Iterator[list[str]]:
    """A row for each peer."""
    points = swiss_roll(n)
    ours = run([str(OURS), case.method, str(points), "3", str(NEIGHBORS), str(repeats)])
    announce("nrdr", case.method, n, ours)
    for name in case.peers(n):
        theirs = time_peer(installed[name], case.method, points, repeats)
        announce(name, case.method, n, theirs)
        target = TARGETS.get((case.method, n, name), Target())
        yield [
            case.method.upper() if case.method != "isomap" else "Isomap",
            thousands(n),
            str(ours),
            name,
            str(theirs),
            *rate(ours, theirs, target),
        ]


def announce(name: str, method: str, n: int, result: Run) -> None:
    """A line as soon as something is known: the whole takes long."""
    solver = result.details.get("solver", "")
    print(f"{method} {thousands(n)} {name}: {result} {solver}".rstrip(), flush=True)


def time_peer(peer: Peer, method: str, points: Path, repeats: int) -> Run:
    """A peer's run, or why there is none."""
    if peer.problem:
        return Run(problem=peer.problem)
    script = str(Path(__file__).with_name("peer.py"))
    arguments = [peer.name, method, str(points), "3", str(NEIGHBORS), str(repeats)]
    return run([str(peer.python), script, *arguments])


def rate(ours: Run, theirs: Run, target: Target) -> tuple[str, str, str]:
    """The cells ratio, target and verdict."""
    if ours.seconds is None:
        return "–", str(target), verdict(False)
    if theirs.timed_out:
        ratio = LIMIT / ours.seconds
        return f"> {ratio:.0f}", str(target), verdict(ratio >= target.ratio)
    if theirs.seconds is None:
        return "–", str(target), "not comparable"
    ratio = theirs.seconds / ours.seconds
    lean = not target.less_memory or (ours.megabytes or 0) < (theirs.megabytes or 0)
    return f"{ratio:.1f}", str(target), verdict(ratio >= target.ratio and lean)
