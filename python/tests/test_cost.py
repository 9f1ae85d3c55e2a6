"""What the Python layer costs beyond the core; `bench/python.py` measures it with care."""

import importlib.util
import threading
import tracemalloc
from unittest import mock

import numpy as np
import pytest
from conftest import ROOT

import nrdr


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("bench_python", ROOT / "bench" / "python.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_time(bench):
    random = np.random.default_rng(0)
    X = random.normal(size=(10_000, 4)) @ random.normal(size=(4, 50))
    _, share = bench.overhead(X, repeats=3, strategy="orthogonal")
    # 3 % in a release build on a quiet machine.
    assert share < 0.15


@pytest.fixture(scope="module")
def wide():
    """Points that take more memory than what is made of them."""
    random = np.random.default_rng(0)
    return random.normal(size=(1500, 4)) @ random.normal(size=(4, 4000))


def test_memory(bench, program, wide):
    ours, theirs = bench.memory(wide, program)
    # The program reads its points once: no more is made of them here, although there is a model.
    assert ours < theirs + 10


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
def test_python_makes_no_copy(order, dtype, wide):
    given = np.asarray(wide, dtype=dtype, order=order)
    maps = nrdr.LaplacianEigenmaps(strategy="orthogonal")
    maps.fit(given[:50])
    tracemalloc.start()
    try:
        maps.fit(given)
        maps.transform(given[:500])
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # A sample of 200 points is kept, for the quality.
    assert taken < 0.3 * given.nbytes + 10e6


def test_what_python_changes_meanwhile_is_not_seen():
    """Another thread writes while the core works: why the array is copied and not borrowed."""
    X = np.random.default_rng(0).normal(size=(1600, 60))
    ours = nrdr.KernelPCA().fit_transform(X)
    given, begun = X.copy(), threading.Event()
    # No flag keeps a view that is there already from writing.
    view = given[:]
    given.flags.writeable = False

    def spoil():
        begun.wait(timeout=60)
        view[:] = np.nan

    thread = threading.Thread(target=spoil)
    thread.start()
    maps = nrdr.KernelPCA(verbose=True)
    with mock.patch("nrdr._progress.Progress.__call__", lambda *_: begun.set()):
        assert np.array_equal(maps.fit_transform(given), ours)
    thread.join()
    assert np.isnan(given).all() and np.allclose(maps.transform(X[:5]), ours[:5])
