"""Non-redundant coordinates: what they cost beside our original ones, and beside plain NumPy."""

from __future__ import annotations

import array
import sys
from collections.abc import Iterator
from pathlib import Path

import data
from data import swiss_roll
from environment import DATA, OURS, machine, mnist_images, peers
from process import Run, run
from report import table, thousands, verdict

ROLL = 50_000
ROLL_NEIGHBORS = 12
ALPHA = 0.3
METHODS = ["lem", "dfm", "lle", "hlle", "ltsa"]
MOST_TIMES = {2: 3, 5: 8}
"""How many times the original's time so many non-redundant coordinates may take."""

DIGITS = 15_000
DIGITS_NEIGHBORS = 10
DIGITS_ALPHA = 0.4
DIGITS_DIMS = 11
LEAST_RATIO = 10
MOST_MEGABYTES = 2000
COMPARED = 5
LEAST_CORRELATION = 0.99


def cost_section(quick: bool, repeats: int) -> str:
    """Ours beside our own original method."""
    n = 10_000 if quick else ROLL
    header = [
        "method",
        "coordinates",
        "original",
        "non-redundant",
        "ratio",
        "target",
        "",
        "rank, m",
    ]
    rows = [cost_row(method, dims, n, repeats) for dims in MOST_TIMES for method in METHODS]
    return (
        f"Swiss roll without noise, {thousands(n)} points, {ROLL_NEIGHBORS} neighbours, alpha "
        f"{ALPHA}; wall time of the embedding alone, best of {repeats}, and peak memory. The last "
        f"column is the rank that the last coordinate's smoother keeps and the size of its factor. "
        f"{machine()}.\n\n{table(header, rows)}"
    )


def cost_row(method: str, dims: int, n: int, repeats: int) -> list[str]:
    """One method with so many coordinates."""
    common = [str(OURS), method, str(swiss_roll(n)), "3", str(ROLL_NEIGHBORS), str(repeats)]
    original, ours = run([*common, str(dims)]), run([*common, str(dims), str(ALPHA)])
    print(f"{method} {dims}: {original}, non-redundant {ours}", flush=True)
    most = MOST_TIMES[dims]
    row = [method.upper(), str(dims), str(original), str(ours)]
    if original.seconds is None or ours.seconds is None:
        return [*row, "–", f"≤ {most}", verdict(False), "–"]
    ratio = ours.seconds / original.seconds
    last = ours.details["coordinates"][-1]
    size = f"{last['rank']}, {last['size']}"
    return [*row, f"{ratio:.1f}", f"≤ {most}", verdict(ratio <= most), size]


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
        f"{DIGITS_NEIGHBORS} neighbours, {dims} non-redundant coordinates, alpha {alpha}, the "
        f"search for neighbours included; ours is the best of {repeats}. `bench/plain.py` renders "
        f"the paper's algorithm plainly in {version()}. {machine()}.\n\n{table(header, rows)}"
    )


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
