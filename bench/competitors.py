"""Our strategies beside LDLE and UMAP on manifolds whose parameters are known, and on digits.

What the others find is kept in the target directory, bench-data/competitors, by library, version
and set: another run measures our side alone. `python3 bench/competitors.py` only fills this store,
which takes half an hour on one core; whatever is there already is not computed again.
"""

from __future__ import annotations

import math
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import data
import kept
from alpha import prepared
from environment import DATA, STRATEGY, Peer, machine, peers
from process import Run, run
from report import table

STRATEGIES = ["orthogonal", "unpredictable", "priced", "selection", "independent"]
RIVALS = ["pyLDLE2", "umap-learn"]
NAMES = {"orthogonal": "original", "pyLDLE2": "LDLE", "umap-learn": "UMAP"}
HEADER = ["data", "coordinates", "by", "redundancy", "trust", "R2 or labels", "time"]
NEIGHBORS = "10"
POINTS, FEW = 2_000, 500
LIMIT = 1800
"""Seconds of processor time for a run."""
KEPT = DATA / "competitors"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
"""Threads that wait for others would count as work."""

Row = tuple[list[float], list[float]]
"""A point, and its true parameters."""


@dataclass(frozen=True)
class Case:
    """Points and what is known of them: `truth` is as rivals.py takes it."""

    name: str
    points: Path
    columns: int
    dims: int
    truth: list[str]


def section(quick: bool, repeats: int) -> str | None:
    """Measures and tells; None without scikit-learn."""
    found = peers(["scikit-learn", *RIVALS])
    if found["scikit-learn"].problem:
        print(f"competitors are skipped: scikit-learn {found['scikit-learn'].problem}")
        return None
    rows = []
    for case in cases(FEW if quick else POINTS, found["scikit-learn"].python):
        rows.extend(measure(case, found, repeats))
    versions = ", ".join(found[name].version() for name in RIVALS)
    return (
        "Laplacian eigenmaps with 10 neighbours by our strategies; LDLE and UMAP with their "
        "defaults (LDLE has as many coordinates as the manifold has dimensions, two, and tears "
        f"what is closed). {POINTS} points (digits: 1797). Redundancy: the error of predicting the "
        "last coordinate from the others by our measure (1 is new, 0 is redundant). Trust: "
        "trustworthiness at 10 neighbours by scikit-learn. R2 of each true parameter by the 10 "
        "nearest neighbours in the embedding without the point itself, of an angle by its cosine "
        "and sine; for the digits the share of labels that these neighbours tell. Time: that of "
        "the processor, over that of the original; ours are the best of "
        f"{repeats}, the others' that of one call on one core, which may be of an earlier run. "
        f"{machine()}; {versions}.\n\n{table(HEADER, rows)}"
    )


def cases(n: int, python: Path) -> Iterator[Case]:
    """The data sets."""
    plain = ["0", "0"]
    yield case("strip 2.5:1", n, 2, 2, plain, strip(2.5))
    yield case("strip 10:1", n, 2, 2, plain, strip(10))
    yield case("roll, height 21", n, 3, 2, plain, roll(21, 0))
    yield case("roll, height 10, noise 0.3", n, 3, 2, plain, roll(10, 0.3))
    yield case("roll, height 4", n, 3, 2, plain, roll(4, 0))
    yield case("torus", n, 3, 3, ["angle", "angle"], torus)
    yield case("sphere", n, 3, 3, ["angle", "0"], sphere)
    yield case("Klein bottle", n, 4, 4, ["angle", "angle"], klein)
    digits = prepared(python, "digits", DATA / "digits.f64")
    yield Case("8 x 8 digits", digits, 64, 2, ["digits"])


def case(
    name: str,
    n: int,
    columns: int,
    dims: int,
    kinds: list[str],
    make: Callable[[random.Random], Row],
) -> Case:
    """Writes points and parameters, the same every time."""
    source = random.Random(n)
    rows = [make(source) for _ in range(n)]
    stem = f"{name}-{n}".replace(" ", "-").replace(":", "-").replace(",", "")
    points = data.written(DATA / f"{stem}.f64", (point for point, _ in rows))
    truth = data.written(DATA / f"{stem}-truth.f64", (known for _, known in rows))
    return Case(name, points, columns, dims, [str(truth), *kinds])


def strip(aspect: float) -> Callable[[random.Random], Row]:
    """A rectangle."""

    def make(source: random.Random) -> Row:
        point = [aspect * source.random(), source.random()]
        return point, point

    return make


def roll(height: float, noise: float) -> Callable[[random.Random], Row]:
    """A Swiss roll, t in [1.5 pi, 4.5 pi]."""

    def make(source: random.Random) -> Row:
        t, y = 1.5 * math.pi * (1 + 2 * source.random()), height * source.random()
        clean = [t * math.cos(t), y, t * math.sin(t)]
        return [v + noise * source.gauss(0, 1) for v in clean], [t, y]

    return make


def torus(source: random.Random) -> Row:
    """A torus of radii 3 and 1, even in both angles."""
    u, v = (2 * math.pi * source.random() for _ in range(2))
    wide = 3 + math.cos(v)
    return [wide * math.cos(u), wide * math.sin(u), math.sin(v)], [u, v]


def sphere(source: random.Random) -> Row:
    """A sphere, even; longitude and height are known."""
    u, z = 2 * math.pi * source.random(), 2 * source.random() - 1
    wide = math.sqrt(1 - z * z)
    return [wide * math.cos(u), wide * math.sin(u), z], [u, z]


def klein(source: random.Random) -> Row:
    """A Klein bottle in four dimensions, a tube of radius 1 whose circle turns over once."""
    u, v = (2 * math.pi * source.random() for _ in range(2))
    wide, over = 3 + math.cos(v), math.sin(v)
    ends = [wide * math.cos(u), wide * math.sin(u)]
    # The places (0, v) and (2 pi, -v) are one: the sine of v jumps there.
    return [*ends, over * math.cos(u / 2), over * math.sin(u / 2)], [u, v]


def measure(case: Case, found: dict[str, Peer], repeats: int) -> Iterator[list[str]]:
    """A row for each competitor."""
    python, out = found["scikit-learn"].python, DATA / "competitors.f64"
    original = None
    for name in [*STRATEGIES, *RIVALS]:
        out.unlink(missing_ok=True)
        rival = name in RIVALS
        dims = dims_of(name, case)
        ran = embed_by(found[name], case, out) if rival else ours(name, case, repeats, out)
        time = ran.details.get("processor")
        if name == "orthogonal":
            original = time
        line = [case.name, str(dims), NAMES.get(name, name), *cells(ran, case, dims, out, python)]
        if time is not None and original:
            line[-1] = f"{time / original:.1f}"
        print(line, flush=True)
        yield line


def dims_of(name: str, case: Case) -> int:
    """LDLE has as many coordinates as the manifold has dimensions."""
    return 2 if name == "pyLDLE2" else case.dims


def ours(name: str, case: Case, repeats: int, out: Path) -> Run:
    """An embedding by a strategy of ours."""
    settings = [str(case.columns), "lem", NEIGHBORS, str(case.dims), str(repeats), str(out), name]
    known = name == "independent" and case.truth != ["digits"]
    more = ["intrinsic_dim=2"] if known else []
    return run([str(STRATEGY), "embed", str(case.points), *settings, *more], processor=LIMIT)


def embed_by(peer: Peer, case: Case, out: Path) -> Run:
    """An embedding by another library, computed or kept from an earlier run."""
    if peer.problem:
        return Run(problem=peer.problem)
    dims = dims_of(peer.name, case)
    stem = KEPT / kept.name(peer.version(), case.name, dims, kept.digest(case.points))
    result, coordinates = stem.with_name(f"{stem.name}.json"), stem.with_name(f"{stem.name}.f64")
    if (known := kept.load(result)) is None:
        KEPT.mkdir(parents=True, exist_ok=True)
        settings = [peer.name, str(case.points), str(case.columns), str(dims), str(coordinates)]
        command = [str(peer.python), str(script()), "embed", *settings]
        ran = run(command, processor=LIMIT, settings=ONE_THREAD)
        if ran.seconds is None and not (ran.timed_out or ran.refused):
            return ran
        known = vars(ran)
        kept.store(result, known)
    if known["seconds"] is not None:
        shutil.copyfile(coordinates, out)
    return Run(**known)


def cells(ran: Run, case: Case, dims: int, out: Path, python: Path) -> list[str]:
    """Redundancy, trustworthiness, R2 and a place for the time, or why there are none."""
    if ran.seconds is None:
        return [ran.problem, "–", "–", "–"]
    found = run([str(STRATEGY), "redundancy", str(out), str(dims)])
    error = found.problem or f"{found.details['errors'][-1]:.2f}"
    known = [str(case.points), str(case.columns), *case.truth]
    scored = run([str(python), str(script()), "score", str(out), str(dims), *known])
    if scored.problem:
        return [error, scored.problem, "–", "–"]
    scores = " ".join(f"{score:.2f}" for score in scored.details["scores"])
    return [error, f"{scored.details['trust']:.3f}", scores, "–"]


def script() -> Path:
    """The part that needs the libraries."""
    return Path(__file__).with_name("rivals.py")


def main() -> None:
    """Lets the others embed what they have not embedded yet."""
    found = peers(["scikit-learn", *RIVALS])
    # The fast one first: a table is of use without the slow one.
    for name in reversed(RIVALS):
        for case in cases(POINTS, found["scikit-learn"].python):
            ran = embed_by(found[name], case, DATA / "competitors-filled.f64")
            print(name, case.name, ran, ran.details.get("processor"), flush=True)


if __name__ == "__main__":
    main()
