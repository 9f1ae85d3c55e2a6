"""A fit that was ended goes on from its checkpoint, with the same bits."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import nrdr

CALL = """
import sys, numpy as np, nrdr
X, _ = nrdr.datasets.make_swiss_roll(6000, height=10)
maps = nrdr.LaplacianEigenmaps(3, strategy="unpredictable").fit(X, checkpoint=sys.argv[1])
np.save(sys.argv[2], maps.embedding_)
"""


@pytest.fixture
def roll():
    return nrdr.datasets.make_swiss_roll(500, height=10)[0]


@pytest.mark.parametrize("strategy", ["priced", "unpredictable"])
def test_the_same_bits(roll, strategy, tmp_path):
    file = tmp_path / "fit.checkpoint"
    maps = nrdr.LaplacianEigenmaps(3, strategy=strategy).fit(roll)
    for given in (file, str(file)):
        again = nrdr.LaplacianEigenmaps(3, strategy=strategy, n_jobs=1)
        assert np.array_equal(again.fit_transform(roll, checkpoint=given), maps.embedding_)
        assert np.array_equal(again.transform(roll[:50] + 0.1), maps.transform(roll[:50] + 0.1))


def test_killed_it_goes_on(tmp_path):
    file, out = tmp_path / "fit.checkpoint", tmp_path / "out.npy"
    command = [sys.executable, "-c", CALL, file, out]
    child = subprocess.Popen(command)
    # The head, the run and the neighbours.
    while child.poll() is None and not (file.exists() and file.stat().st_size > 500_000):
        time.sleep(0.005)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    before = file.read_bytes()
    subprocess.run(command, check=True)
    # What was whole is still there.
    assert file.read_bytes()[64:500_000] == before[64:500_000]
    X, _ = nrdr.datasets.make_swiss_roll(6000, height=10)
    whole = nrdr.LaplacianEigenmaps(3, strategy="unpredictable").fit_transform(X)
    assert np.array_equal(np.load(out), whole)


def test_another_fit_is_refused(roll, tmp_path):
    file = tmp_path / "fit.checkpoint"
    nrdr.LaplacianEigenmaps().fit(roll, checkpoint=file)
    kept = file.read_bytes()
    told = "the checkpoint was made with n_neighbors 10, this run has n_neighbors 12: use another"
    with pytest.raises(ValueError, match=told):
        nrdr.LaplacianEigenmaps(n_neighbors=12).fit(roll, checkpoint=file)
    with pytest.raises(ValueError, match="made with the input 500 points of 3 columns"):
        nrdr.LaplacianEigenmaps().fit(roll[:400], checkpoint=file)
    assert file.read_bytes() == kept


def test_what_is_no_checkpoint(roll, tmp_path):
    file = tmp_path / "fit.checkpoint"
    for content, told in [(b"x,y\n", "is no checkpoint"), (b"nrdr checkpoint\n", "is damaged")]:
        file.write_bytes(content)
        with pytest.raises(OSError, match=told) as raised:
            nrdr.LaplacianEigenmaps().fit(roll, checkpoint=file)
        assert Path(os.fspath(raised.value.filename)) == file
        assert file.read_bytes() == content
    with pytest.raises(IsADirectoryError):
        nrdr.LaplacianEigenmaps().fit(roll, checkpoint=tmp_path)
    with pytest.raises(FileNotFoundError):
        nrdr.LaplacianEigenmaps().fit(roll, checkpoint=tmp_path / "no" / "fit.checkpoint")
