"""How many threads a fit takes, and that fits in several threads go on together."""

import contextlib
import os
import threading
import time

import joblib
import numpy as np
import pytest
import threadpoolctl
from joblib.externals.loky import get_reusable_executor

import nrdr
from nrdr import _nrdr
from nrdr._threads import threads_of


@pytest.fixture(scope="module")
def X():
    """Points whose embedding takes a while."""
    return np.random.default_rng(0).normal(size=(1600, 60))


@pytest.fixture(autouse=True)
def no_limits(monkeypatch):
    for name in ("OMP_NUM_THREADS", "RAYON_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)


def test_limits_of_threadpoolctl():
    assert threads_of(None) is None
    (ours,) = (one for one in threadpoolctl.threadpool_info() if one["user_api"] == "nrdr")
    assert ours["num_threads"] == joblib.cpu_count() and ours["version"] == nrdr.__version__
    with threadpoolctl.threadpool_limits(3):
        assert threads_of(None) == 3 and threads_of(5) == 5
        assert threads_of(-1) == joblib.cpu_count()
        with threadpoolctl.threadpool_limits(1, user_api="nrdr"):
            assert threads_of(None) == 1
        assert threads_of(None) == 3
    with threadpoolctl.threadpool_limits(1, user_api="blas"):
        assert threads_of(None) is None
    assert threads_of(None) is None


def test_limits_hold_for_the_thread_that_sets_them():
    found = []
    with threadpoolctl.threadpool_limits(1):
        thread = threading.Thread(target=lambda: found.append(threads_of(None)))
        thread.start()
        thread.join()
    assert found == [None]


def test_limits_of_the_environment(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    assert threads_of(None) == 3 and threads_of(-1) == joblib.cpu_count()
    with threadpoolctl.threadpool_limits(1):
        assert threads_of(None) == 1
    assert threads_of(None) == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert threads_of(None) is None
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.setenv("RAYON_NUM_THREADS", "4")
    assert threads_of(None) is None


def threads():
    """How many there are."""
    return len(os.listdir("/proc/self/task"))


def threads_at_work(before, X, monkeypatch, **parameters):
    """The most threads that were there while a fit was going on, beyond those before."""
    there = []
    # Those of an earlier fit may not have ended.
    until = time.monotonic() + 10
    while threads() > before and time.monotonic() < until:
        time.sleep(0.01)

    def look(stage, fraction):
        there.append(threads())

    # Without tqdm, which has a thread of its own.
    monkeypatch.setattr("nrdr._base.Progress", lambda name: contextlib.nullcontext(look))
    nrdr.KernelPCA(verbose=True, **parameters).fit(X)
    return max(there) - before


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="threads are counted in /proc")
def test_a_fit_keeps_to_the_limits(X, monkeypatch):
    before = threads()
    # One beside the pool looks after it.
    assert threads_at_work(before, X, monkeypatch, n_jobs=5) == 6
    with threadpoolctl.threadpool_limits(3):
        assert threads_at_work(before, X, monkeypatch) == 4
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert threads_at_work(before, X, monkeypatch) == 2


def test_processes_of_joblib_share_the_cores():
    """As those of GridSearchCV: each gets its part, and not all."""
    with joblib.parallel_config(backend="loky", inner_max_num_threads=2):
        assert joblib.Parallel(2)(joblib.delayed(threads_of)(None) for _ in range(2)) == [2, 2]
    get_reusable_executor().shutdown()


def test_two_fits_overlap(X, monkeypatch):
    """Neither holds the interpreter while the core works: else one would be over first."""
    core, times, found = _nrdr.fit, {}, {}

    def timed(*given):
        begun = time.perf_counter()
        told = core(*given)
        times[threading.current_thread().name] = begun, time.perf_counter()
        return told

    monkeypatch.setattr("nrdr._base._nrdr.fit", timed)
    together = threading.Barrier(2)

    def fit(seed):
        together.wait(timeout=60)
        found[seed] = nrdr.KernelPCA(n_jobs=1, random_state=seed).fit_transform(X)

    threads = [threading.Thread(target=fit, args=(seed,)) for seed in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    begun, ended = zip(*times.values())
    shorter = min(end - begin for begin, end in times.values())
    assert min(ended) - max(begun) > shorter / 2
    assert np.array_equal(found[0], nrdr.KernelPCA(n_jobs=1).fit_transform(X))
