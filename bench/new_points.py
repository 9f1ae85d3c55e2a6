"""New MNIST digits by a model of others: how fast, and how well beside embedding all together."""

from __future__ import annotations

import re
import struct
import subprocess
import time
from pathlib import Path

from environment import DATA, ROOT, TARGET, machine, mnist_file, mnist_images, peers
from report import table, thousands

TRAINING = 15_000
NEW = 5_000
DIMS = 11
ALPHA = 0.4
IMAGE = 28 * 28
IDX_HEADER = 16
PROGRAM = TARGET / "release" / "nrdr"
HEADER = ["new images", "SVM error", "10 nearest neighbours' error"]


def section(quick: bool, repeats: int) -> str | None:
    """Measures and tells; None without the digits."""
    images, labels = mnist_images(), mnist_file("train-labels-idx1-ubyte")
    if images is None or labels is None:
        return None
    learner = peers(["scikit-learn"])["scikit-learn"]
    if learner.problem:
        return f"scikit-learn {learner.problem}."
    build = ["cargo", "build", "--release", "-p", "nrdr-cli", "--locked"]
    subprocess.run(build, cwd=ROOT, check=True)
    training, new = (3_000, 1_000) if quick else (TRAINING, NEW)
    folder = DATA / "new-points"
    folder.mkdir(parents=True, exist_ok=True)
    old = part(images, folder / "old.idx", 0, training)
    later = part(images, folder / "new.idx", training, new)
    both = part(images, folder / "both.idx", 0, training + new)
    model, known, extended = folder / "mnist.model", folder / "old.npy", folder / "new.npy"
    how = ["-d", str(DIMS), "--alpha", str(ALPHA)]
    start = time.perf_counter()
    nrdr("embed", old, *how, "--model", model, "-o", known, "--quiet")
    fitted = time.perf_counter() - start
    rates = [rate(nrdr("transform", model, later, "-o", extended)) for _ in range(repeats)]
    together = folder / "both.npy"
    nrdr("embed", both, *how, "-o", together, "--quiet")
    rows = [
        ["by the model", *errors(learner.python, known, extended, labels, training)],
        ["embedded together", *errors(learner.python, together, together, labels, training)],
    ]
    return (
        f"Non-redundant Laplacian eigenmaps of {thousands(training)} images of MNIST, {DIMS} "
        f"coordinates, alpha {ALPHA}; {thousands(new)} other images. The model was fitted in "
        f"{fitted:.0f} s and takes {model.stat().st_size / 1e6:.1f} MB. New images: "
        f"{thousands(round(max(rates)))} a second, best of {repeats}, with reading and writing. "
        f"Classifiers are trained on the coordinates of the {thousands(training)}. "
        f"{machine()}.\n\n{table(HEADER, rows)}"
    )


def part(images: Path, to: Path, first: int, count: int) -> Path:
    """Some images of an IDX file in a file of their own."""
    start = IDX_HEADER + first * IMAGE
    pixels = images.read_bytes()[start : start + count * IMAGE]
    to.write_bytes(struct.pack(">IIII", 0x803, count, 28, 28) + pixels)
    return to


def nrdr(*arguments: object) -> str:
    """Runs our program and returns what it says."""
    command = [str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def rate(said: str) -> float:
    """The points a second that the program tells of."""
    found = re.search(r"(\d+) a second", said)
    return float(found.group(1)) if found else 0.0


def errors(python: Path, known: Path, new: Path, labels: Path, count: int) -> list[str]:
    """Errors of the classifiers in per cent."""
    script = Path(__file__).with_name("svm_error.py")
    command = [str(python), str(script), str(known), str(new), str(labels), str(count)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [f"{float(line):.2f} %" for line in said.split()]
