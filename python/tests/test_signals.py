"""Other threads go on during a fit, and Ctrl-C ends it."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import nrdr

CALL = """
import sys, time
import numpy as np
import nrdr
X = np.random.default_rng(0).normal(size=({n}, 60))
print("begin", flush=True)
try:
    nrdr.{call}
    print("done", flush=True)
except KeyboardInterrupt:
    print("interrupted", time.time(), flush=True)
"""


@pytest.mark.parametrize(
    ("call", "n", "after"),
    [
        ("LaplacianEigenmaps(n_components=8).fit(X)", 30000, 1.0),
        ("KernelPCA(n_components=8).fit(X)", 5000, 1.0),
        ("datasets.make_swiss_roll(20_000_000, noise=1)", 1, 0.3),
    ],
    ids=["LaplacianEigenmaps", "KernelPCA", "make_swiss_roll"],
)
def test_ctrl_c(call, n, after):
    code = CALL.format(call=call, n=n)
    # A shell may have told its children to ignore it.
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n" + code,
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "begin\n"
    time.sleep(after)
    sent = time.time()
    os.kill(child.pid, signal.SIGINT)
    word, *when = child.stdout.readline().split()
    child.kill()
    child.wait()
    assert word == "interrupted"
    assert float(when[0]) - sent < 1.0


def test_nothing_goes_on_after_ctrl_c():
    Y = np.random.default_rng(0).normal(size=(20000, 8))

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            nrdr.redundancy(Y, sample=len(Y), accuracy=0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    time.sleep(2)
    used = time.process_time()
    time.sleep(1)
    assert time.process_time() - used < 0.5


def test_other_threads_go_on():
    X = np.random.default_rng(0).normal(size=(4000, 40))
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    nrdr.LaplacianEigenmaps(n_jobs=1).fit(X)
    taken = time.perf_counter() - start
    done.set()
    thread.join()
    assert np.diff(ticks).max() < max(0.2, taken / 2)


def test_an_error_in_the_progress_arrives(monkeypatch):
    def broken(self, stage, fraction):
        raise RuntimeError("no more")

    monkeypatch.setattr("nrdr._progress.Progress.__call__", broken)
    X = np.random.default_rng(0).normal(size=(6000, 60))
    with pytest.raises(RuntimeError, match="no more"):
        nrdr.LaplacianEigenmaps(verbose=True).fit(X)


def test_a_fork_can_fit():
    X, _ = nrdr.datasets.make_swiss_roll(300)
    ours = nrdr.LaplacianEigenmaps().fit_transform(X)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        theirs = pool.apply_async(nrdr.LaplacianEigenmaps().fit_transform, (X,)).get(timeout=60)
    assert np.array_equal(ours, theirs)
