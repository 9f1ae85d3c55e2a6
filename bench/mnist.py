"""Nearest neighbours of the MNIST digits, beside the machine's matrix multiplication."""

from __future__ import annotations

from pathlib import Path

import data
from environment import OURS, machine, mnist_images, peers
from process import Run, run, show_seconds
from report import table, thousands, verdict

NEIGHBORS = 10
POINTS = 15_000
BLOCK = 4096
TARGET = 0.5
PRODUCT_REPEATS = 5
HEADER = ["what", "time", "rate", "share reached by the search", "target", ""]


def section(quick: bool, repeats: int) -> str | None:
    """Measures and tells; None without the digits."""
    images = mnist_images()
    if images is None:
        return None
    n = 10_000 if quick else POINTS
    points = str(data.mnist(images, n))
    search = run([str(OURS), "neighbors", points, str(data.IMAGE), str(NEIGHBORS), str(repeats)])
    if search.seconds is None:
        return f"The search {search.problem}."
    rate = 2 * n * n * data.IMAGE / search.seconds
    numpy = peers(["numpy"])["numpy"]
    products = {f"product by {numpy.version()}": numpy_product(numpy.python, numpy.problem, n)}
    products["product by faer"] = our_product(n)
    rows = [["search", show_seconds(search.seconds), gigaflops(rate), "", "", ""]]
    rows += [product_row(what, product, n, rate) for what, product in products.items()]
    return (
        f"{NEIGHBORS} exact nearest neighbours of the first {thousands(n)} training images of "
        f"MNIST ({data.IMAGE} values), best of {repeats}, {search.megabytes:,.0f} MB. The rate "
        f"counts 2 N² D operations; the products are {n} x {data.IMAGE} times {data.IMAGE} x "
        f"{BLOCK} in single precision, best of {PRODUCT_REPEATS}, on all cores. {machine()}.\n\n"
        f"{table(HEADER, rows)}"
    )


def numpy_product(python: Path, problem: str, n: int) -> Run:
    """The product by the BLAS that numpy brings."""
    if problem:
        return Run(problem=problem)
    script = str(Path(__file__).with_name("peer.py"))
    shape = f"{n}x{data.IMAGE}x{BLOCK}"
    return run([str(python), script, "numpy", "gemm", shape, "0", "0", str(PRODUCT_REPEATS)])


def our_product(n: int) -> Run:
    """The product by the library that the search itself uses."""
    sizes = [str(n), str(data.IMAGE), str(BLOCK)]
    return run([str(OURS), "gemm", *sizes, str(PRODUCT_REPEATS)])


def product_row(what: str, product: Run, n: int, search_rate: float) -> list[str]:
    """A product's rate, and how much of it the search reaches."""
    target = f"≥ {TARGET:.0%}"
    if product.seconds is None:
        return [what, product.problem, "–", "–", target, "not comparable"]
    rate = 2 * n * data.IMAGE * BLOCK / product.seconds
    share = search_rate / rate
    time = show_seconds(product.seconds)
    return [what, time, gigaflops(rate), f"{share:.0%}", target, verdict(share >= TARGET)]


def gigaflops(rate: float) -> str:
    """Operations a second, readable."""
    return f"{rate / 1e9:.0f} GFLOP/s"
