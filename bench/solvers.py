"""Our solvers on cubes and sheets, beside ARPACK and AMG at the same residual."""

from __future__ import annotations

import math
from dataclasses import dataclass

from environment import DATA, ROOT, SOLVERS, machine, peers
from process import Run, run
from report import table, thousands

TOLERANCE = 1e-6
COUNT = 3
CASES = [
    (method, shape, dimension)
    for method, shape in [
        ("lem", "cube"),
        ("dfm", "cube"),
        ("ltsa", "sheet"),
        ("hlle", "sheet"),
        ("lle", "sheet"),
    ]
    for dimension in [2, 3, 4, 5, 8]
    # A Hessian in eight dimensions has 36 entries, and takes as many more neighbours.
    if not (method == "hlle" and dimension == 8)
]
RANKS = [1, 50, 300]
SIZES = [10_000, 100_000]
PROCESSOR = 120
"""Seconds of processor time after which our solver is ended."""
PATIENCE, LEAST = 4, 30
"""A peer is ended after so many times ours, and so many seconds at least."""
HEADER = [
    "matrix",
    "points",
    *(f"nrdr, r = {rank}" for rank in RANKS),
    "ARPACK",
    "AMG",
    "better peer over ours",
]


@dataclass(frozen=True)
class Cell:
    """A cell of the table, and the seconds it tells of; where `is_more`, it took longer."""

    text: str
    seconds: float | None = None
    is_more: bool = False


def section(quick: bool, _repeats: int) -> str:
    """Measures and tells."""
    sizes = SIZES[:1] if quick else SIZES
    rows = [row(*case, n) for n in sizes for case in CASES]
    return (
        f"The first {COUNT} eigenpairs of the matrices of uniform points in cubes and in sheets "
        f"(cubes whose first side is bent), 10 neighbours, or as many more as HLLE and LTSA need, "
        f"with residuals of at most {TOLERANCE:g} of the norm. r directions are forbidden: the "
        f"trivial one, and smooth functions of the first coordinate. Processor time of preparing "
        f"and solving, with the solver that is chosen; – where it took more than {PROCESSOR} s or "
        f"did not converge. A peer was ended after {LEAST} s, or {PATIENCE} times ours. "
        f"ARPACK as scikit-learn calls it (shift-invert by SuperLU), AMG as scikit-learn calls it "
        f"(pyamg under LOBPCG; for graphs only), both with a tolerance that leads to such a "
        f"residual. {machine()}.\n\n{table(HEADER, rows)}"
    )


def row(method: str, shape: str, dimension: int, n: int) -> list[str]:
    """A matrix and who solves it how fast."""
    DATA.mkdir(parents=True, exist_ok=True)
    matrix = DATA / f"matrix-{method}-{shape}-{dimension}-{n}.bin"
    ours = [solve(method, shape, dimension, n, rank, matrix) for rank in RANKS]
    own = ours[0].seconds
    limit = LEAST if own is None else max(LEAST, math.ceil(PATIENCE * own))
    names = ["arpack", "amg"] if method in ("lem", "dfm") else ["arpack"]
    rivals = [rival(name, matrix, method, limit) for name in names]
    matrix.unlink(missing_ok=True)
    cells = [cell.text for cell in ours + rivals] + [""] * (2 - len(rivals))
    name = f"{method.upper()}, {shape} of {dimension}"
    return [name, thousands(n), *cells, ratio(own, rivals)]


def ratio(own: float | None, rivals: list[Cell]) -> str:
    """The better peer's time over ours; those that were ended took more than their limit."""
    known = [(peer.seconds, peer.is_more) for peer in rivals if peer.seconds is not None]
    if own is None or not known:
        return "–"
    seconds, is_more = min(known)
    return f"{'> ' if is_more else ''}{seconds / own:.1f}"


def solve(method: str, shape: str, dimension: int, n: int, rank: int, matrix: object) -> Cell:
    """By the solver that is chosen; the first writes the matrix for the others."""
    command = [SOLVERS, method, shape, dimension, n, "auto", COUNT, rank, TOLERANCE]
    result = run(
        [str(word) for word in command + ([matrix] if rank == 1 else [])], processor=PROCESSOR
    )
    print(
        f"solvers {method} {shape} {dimension} {n} r = {rank}: {result.details or result}",
        flush=True,
    )
    return told(result, with_solver=True)


def rival(name: str, matrix: object, method: str, limit: int) -> Cell:
    """By a peer."""
    peer = peers(["scikit-learn"])["scikit-learn"]
    if peer.problem:
        return Cell(peer.problem)
    script = ROOT / "bench" / "solver_peer.py"
    end = "largest" if method in ("lem", "dfm") else "smallest"
    command = [peer.python, script, name, matrix, end, COUNT, TOLERANCE]
    result = run([str(word) for word in command], processor=limit)
    print(f"solvers {name} {matrix}: {result.details or result}", flush=True)
    if result.timed_out:
        return Cell(f"> {limit} s", limit, is_more=True)
    return told(result, with_solver=False)


def told(result: Run, with_solver: bool) -> Cell:
    """Seconds, and the cell of the table."""
    if result.seconds is None or "error" in result.details:
        return Cell("–")
    solver = f", {result.details['solver']}" if with_solver else ""
    residual = result.details["residual"]
    late = f" (residual {residual:.0e})" if residual > TOLERANCE else ""
    return Cell(f"{result.seconds:.2f} s{solver}{late}", result.seconds)
