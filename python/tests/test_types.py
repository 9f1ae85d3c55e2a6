"""The package is typed, and the stub tells what the module has."""

import subprocess
import sys

from conftest import ROOT


def test_mypy(tmp_path):
    user = tmp_path / "user.py"
    user.write_text(
        "import numpy as np\n"
        "import nrdr\n"
        "X, truth = nrdr.datasets.make_swiss_roll(50)\n"
        "Y: np.ndarray = nrdr.Isomap(3, n_neighbors=5, metric='euclidean').fit_transform(X)\n"
        "metric: str = nrdr.Isomap().fit(X).metric\n"
        "errors: np.ndarray = nrdr.redundancy(Y).errors\n"
    )
    command = [sys.executable, "-m", "mypy", "--cache-dir", tmp_path, "--ignore-missing-imports"]
    done = subprocess.run(
        [*command, user, ROOT / "python" / "nrdr"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout


def test_stub(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "nrdr._nrdr", "--ignore-missing-stub"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout
