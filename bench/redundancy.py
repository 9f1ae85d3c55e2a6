"""Non-redundant coordinates of the MNIST digits, beside the original ones and plain NumPy."""

from __future__ import annotations

import array
import sys
from collections.abc import Iterator
from pathlib import Path

import cost
import data
from environment import DATA, OURS, machine, mnist_images, peers
from process import Run, run
from report import table, thousands, verdict

DIGITS = 15_000
DIGITS_NEIGHBORS = 10
DIGITS_ALPHA = 0.4
DIGITS_DIMS = 11
MOST_TIMES = 2.5
"""How many times the original's time the default may take."""
LEAST_RATIO = 10
MOST_MEGABYTES = 2000
COMPARED = 5
LEAST_CORRELATION = 0.99


def digits_section(quick: bool, repeats: int) -> str | None:
    """Ours beside the plain rendering of the paper's algorithm; None without the digits."""
    images = mnist_images()
    if images is None:
        return None
    n, dims = (3_000, 5) if quick else (DIGITS, DIGITS_DIMS)
    points = str(data.mnist(images, n))
    outs = DATA / "digits-ours.f64", DATA / "digits-plain.f64"
    settings = [points, str(data.IMAGE), str(DIGITS_NEIGHBORS)]
    alpha = str(DIGITS_ALPHA)
    ours = run([str(OURS), "lem", *settings, str(repeats), str(dims), alpha, str(outs[0])])
    print(f"nrdr: {ours}", flush=True)
    plain = run_plain([*settings, str(dims), alpha, str(outs[1])])
    print(f"plain: {plain}", flush=True)
    header = ["what", "nrdr", "plain NumPy", "result", "target", ""]
    rows = digits_rows(ours, plain, outs, dims)
    return (
        f"Laplacian eigenmaps of the first {thousands(n)} training images of MNIST, "
        f"{DIGITS_NEIGHBORS} neighbours, {dims} coordinates. {machine()}.\n\n"
        f"{beside_original(points, dims, 1 if quick else cost.TURNS)}\n\n"
        f"The paper's form, alpha {alpha}, beside `bench/plain.py`, which renders its algorithm "
        f"plainly in {version()}: wall time with the search for neighbours; ours is the best of "
        f"{repeats}.\n\n{table(header, rows)}"
    )


def beside_original(points: str, dims: int, turns: int) -> str:
    """The default beside the original."""
    images = cost.Points(Path(points), data.IMAGE, DIGITS_NEIGHBORS)
    row = cost.row(images, "lem", dims, MOST_TIMES, turns)
    return f"The default beside the original. {cost.told(turns)}\n\n{table(cost.HEADER, [row])}"


def run_plain(arguments: list[str]) -> Run:
    """The plain rendering, which takes its time."""
    numpy = peers(["numpy"])["numpy"]
    if numpy.problem:
        return Run(problem=numpy.problem)
    script = str(Path(__file__).with_name("plain.py"))
    return run([str(numpy.python), script, *arguments], limit=1200)


def version() -> str:
    """Of NumPy."""
    return peers(["numpy"])["numpy"].version()


def digits_rows(ours: Run, plain: Run, outs: tuple[Path, Path], dims: int) -> Iterator[list[str]]:
    """Time, memory and agreement."""
    if ours.seconds is None or ours.megabytes is None:
        yield ["time", ours.problem, str(plain), "–", "–", verdict(False)]
        return
    memory = f"{ours.megabytes:,.0f} MB"
    lean = verdict(ours.megabytes < MOST_MEGABYTES)
    if plain.seconds is None or plain.megabytes is None:
        yield ["time", f"{ours.seconds:.1f} s", plain.problem, "–", "–", "not comparable"]
        yield ["memory", memory, "–", "", f"< {MOST_MEGABYTES} MB", lean]
        return
    ratio = plain.seconds / ours.seconds
    yield [
        "time",
        f"{ours.seconds:.1f} s",
        f"{plain.seconds:.1f} s",
        f"{ratio:.1f} times as fast",
        f"≥ {LEAST_RATIO}",
        verdict(ratio >= LEAST_RATIO),
    ]
    theirs = f"{plain.megabytes:,.0f} MB"
    yield ["memory", memory, theirs, "", f"< {MOST_MEGABYTES} MB", lean]
    found = [correlation(*pair) for pair in zip(*(coordinates(o, dims) for o in outs), strict=True)]
    least = min(found[:COMPARED])
    met = verdict(least > LEAST_CORRELATION)
    text = " ".join(f"{value:.3f}" for value in found)
    what = f"absolute correlation of coordinates 1..{dims}"
    yield [what, "", "", text, f"first {COMPARED} > {LEAST_CORRELATION}", met]


def coordinates(path: Path, dims: int) -> list[array.array]:
    """The coordinates of a file."""
    values = array.array("d")
    values.frombytes(path.read_bytes())
    if sys.byteorder == "big":
        values.byteswap()
    n = len(values) // dims
    return [values[i * n : (i + 1) * n] for i in range(dims)]


def correlation(a: array.array, b: array.array) -> float:
    """Its absolute value."""
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    pairs = [(x - mean_a, y - mean_b) for x, y in zip(a, b, strict=True)]
    product = sum(x * y for x, y in pairs)
    squares = sum(x * x for x, _ in pairs) * sum(y * y for _, y in pairs)
    return abs(product) / squares**0.5
