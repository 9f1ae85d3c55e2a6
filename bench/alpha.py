"""alpha = auto beside every fixed alpha on images: handwritten digits, and heads that turn."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import data
from environment import DATA, OURS, machine, mnist_file, peers
from process import run
from report import table

FIXED = ["0.05", "0.07", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]
HEADER = ["images", "coordinates", *FIXED, "auto", "auto / best", "time"]
SECONDS = 100
"""For a run; what is finer than makes sense takes without end."""

HEADS = "NRDR_HEADS"
"""Names the file face_1024.mat with the heads of Tenenbaum et al. (2000), for those who have it."""


@dataclass(frozen=True)
class Case:
    """Images, and the numbers of coordinates at which an embedding of them is scored."""

    name: str
    points: Path
    columns: int
    neighbors: int
    dims: list[int]
    scorer: list[str]


def section(quick: bool, repeats: int) -> str | None:
    """Measures and tells; None without scikit-learn."""
    del repeats
    sklearn = peers(["scikit-learn"])["scikit-learn"]
    if sklearn.problem:
        print(f"images are skipped: scikit-learn {sklearn.problem}")
        return None
    rows = [row for case in cases(sklearn.python, quick) for row in measure(case, sklearn.python)]
    return (
        "Laplacian eigenmaps, 10 neighbours (heads: 8). A cell is the share of labels that the 10 "
        "nearest neighbours in the embedding tell, or for the heads the absolute correlation of "
        "coordinate 2 with the tilt; – where a run took more than 100 s or more memory than "
        "is allowed. The last columns: auto over the best fixed alpha, and its time over that of "
        f"alpha 0.3. {machine()}.\n\n{table(HEADER, rows)}"
    )


def cases(python: Path, quick: bool) -> Iterator[Case]:
    """Those whose images are there."""
    digits = DATA / "digits.f64"
    yield Case("8 x 8 digits", prepared(python, "digits", digits), 64, 10, [2, 3, 5], ["digits"])
    images, labels = (mnist_file(f"train-{what}-ubyte") for what in ("images-idx3", "labels-idx1"))
    if images and labels:
        n = 3_000 if quick else 15_000
        points = data.mnist(images, n)
        scorer = ["labels", str(labels)]
        yield Case(f"MNIST, {n}", points, data.IMAGE, 10, [3, 5, 11], scorer)
    heads = os.environ.get(HEADS)
    if heads is None:
        print(f"the heads are skipped: set {HEADS} to the path of face_1024.mat")
        return
    points = prepared(python, "heads", DATA / "heads.f64", heads)
    yield Case("heads", points, 1024, 8, [2], ["heads", heads])


def prepared(python: Path, what: str, path: Path, *source: str) -> Path:
    """Points that a library of Python holds or reads, as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    result = run([str(python), str(script()), "write", what, str(path), *source])
    if result.problem:
        raise RuntimeError(f"{what}: {result.problem}")
    return path


def script() -> Path:
    """The part that needs the libraries."""
    return Path(__file__).with_name("scores.py")


def measure(case: Case, python: Path) -> Iterator[list[str]]:
    """A row for each number of coordinates."""
    scores, times = {}, {}
    for alpha in [*FIXED, "auto"]:
        for count in range(len(case.dims), 0, -1):
            found = embed(case, alpha, case.dims[:count], python)
            if found is not None:
                scores[alpha], times[alpha] = found
                break
        print(f"{case.name} alpha {alpha}: {scores.get(alpha)}", flush=True)
    for at, dims in enumerate(case.dims):
        of = {alpha: found[at] for alpha, found in scores.items() if at < len(found)}
        best = max(value for alpha, value in of.items() if alpha != "auto")
        cells = [f"{of[alpha]:.3f}" if alpha in of else "–" for alpha in [*FIXED, "auto"]]
        share = f"{of['auto'] / best:.2f}" if "auto" in of else "–"
        last = at == len(case.dims) - 1 and "0.3" in times and "auto" in times
        ratio = f"{times['auto'] / times['0.3']:.1f}" if last else ""
        yield [case.name, str(dims), *cells, share, ratio]


def embed(
    case: Case, alpha: str, dims: list[int], python: Path
) -> tuple[list[float], float] | None:
    """The scores at each number of coordinates, and the seconds."""
    out = DATA / "alpha.f64"
    settings = [str(case.points), str(case.columns), str(case.neighbors), "1"]
    ours = run([str(OURS), "lem", *settings, str(dims[-1]), alpha, str(out)], limit=SECONDS)
    if ours.seconds is None:
        return None
    counts = ",".join(map(str, dims))
    scored = run([str(python), str(script()), "score", str(out), counts, *case.scorer])
    return scored.details["scores"], ours.seconds
