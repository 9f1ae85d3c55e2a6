"""Data and estimators that the tests share."""

import json
import os
import shutil
from pathlib import Path

# Read when scipy is imported: without it scikit-learn skips its check of other array libraries.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import pytest
from sklearn.datasets import load_digits

import nrdr
from nrdr import _nrdr

ROOT = Path(__file__).resolve().parents[2]

#: What methods and strategies the core has.
CATALOG = json.loads(_nrdr.catalog())

#: Each method that takes points.
ESTIMATORS = [
    getattr(nrdr, entry["class"])() for entry in CATALOG["methods"] if "points" in entry["takes"]
]


def name_of(estimator):
    return type(estimator).__name__


@pytest.fixture(scope="session")
def roll():
    """A Swiss roll and its true parameters."""
    return nrdr.datasets.make_swiss_roll(800, height=21, random_state=3)


@pytest.fixture(scope="session")
def digits():
    """Some of the 8 x 8 digits, and which they are."""
    X, y = load_digits(return_X_y=True)
    return X[:600], y[:600]


@pytest.fixture(scope="session")
def kernel(roll):
    """A kernel of some points."""
    X = roll[0][:300]
    return np.exp(-0.02 * ((X[:, None] - X) ** 2).sum(axis=2))


@pytest.fixture(scope="session")
def program():
    """The command line, built from the same sources."""
    built = ROOT / "target" / "debug" / "nrdr"
    found = os.environ.get("NRDR_PROGRAM") or (str(built) if built.exists() else None)
    found = found or shutil.which("nrdr")
    if found is None:
        pytest.skip("the program nrdr is not built: cargo build")
    return found
