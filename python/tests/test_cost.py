"""What the Python layer costs beyond the core; `bench/python.py` measures it with care."""

import importlib.util

import numpy as np
import pytest
from conftest import ROOT


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
    # 5 % in a release build on a quiet machine.
    assert share < 0.15


def test_memory(bench, program):
    random = np.random.default_rng(0)
    X = random.normal(size=(1500, 4)) @ random.normal(size=(4, 4000))
    ours, theirs = bench.memory(X, program)
    copy = X.nbytes / 2**20
    assert ours < theirs + copy + 10
