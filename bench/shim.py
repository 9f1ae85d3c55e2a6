"""How far the numbers of `nrdr.sklearn` are from scikit-learn's, and what both take.

    python bench/shim.py

prints the table of docs/python.md. A difference is the largest of a coordinate, signs aside, in
standard deviations of that coordinate; beside it stands the largest angle between the planes.
"""

from __future__ import annotations

import time
import warnings

import nrdr
import numpy as np
from nrdr import sklearn as ours
from scipy.linalg import subspace_angles
from sklearn import decomposition, manifold
from sklearn.base import TransformerMixin
from sklearn.datasets import load_digits

N = 1000
LLE = {"n_neighbors": 12}

#: Name, estimator of ours and of scikit-learn, parameters.
ROWS = [
    ("`Isomap`", ours.Isomap, manifold.Isomap, {"n_neighbors": 12}),
    ("`KernelPCA(kernel=\"rbf\")`", ours.KernelPCA, decomposition.KernelPCA,
     {"n_components": 2, "kernel": "rbf", "gamma": 1e-3}),
    ("`SpectralEmbedding`", ours.SpectralEmbedding, manifold.SpectralEmbedding, LLE),
    ("`SpectralEmbedding(affinity=\"rbf\")`", ours.SpectralEmbedding, manifold.SpectralEmbedding,
     {"affinity": "rbf", "gamma": 1e-3}),
    *(
        (f"`LocallyLinearEmbedding(method=\"{method}\")`", ours.LocallyLinearEmbedding,
         manifold.LocallyLinearEmbedding, {**LLE, "method": method})
        for method in ("standard", "ltsa", "modified", "hessian")
    ),
]  # fmt: skip


def fitted(estimator: TransformerMixin, X: np.ndarray) -> tuple[np.ndarray, float]:
    """The coordinates, and seconds."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit_transform(X), time.perf_counter() - start


def compared(found: np.ndarray, expected: np.ndarray) -> tuple[float, float]:
    """The largest difference, and the largest angle in degrees."""
    found, expected = found - found.mean(axis=0), expected - expected.mean(axis=0)
    signs = np.sign((found * expected).sum(axis=0))
    difference = np.abs(found * signs - expected).max(axis=0) / expected.std(axis=0)
    return difference.max(), np.degrees(subspace_angles(found, expected).max())


def main() -> None:
    """The table."""
    roll, _ = nrdr.datasets.make_swiss_roll(N, height=15, random_state=0)
    digits = load_digits(return_X_y=True)[0][:N]
    # No two points equally far from a third: neighbours are no convention then.
    digits = digits + 1e-3 * np.random.default_rng(0).normal(size=digits.shape)
    print("| estimator | roll | digits | seconds, ours and theirs |\n|---|---|---|---|")
    for name, mine, theirs, own in ROWS:
        cells, took = [], np.zeros(2)
        for X in (roll, digits):
            found, seconds = fitted(mine(**own), X)
            solver = {"eigen_solver": "dense"}
            solver = {} if theirs is manifold.SpectralEmbedding else solver
            expected, other = fitted(theirs(**own, **solver), X)
            took += seconds, other
            difference, angle = compared(found, expected)
            cells.append(f"{difference:.1e}, {angle:.2g}°")
        print(f"| {name} | {cells[0]} | {cells[1]} | {took[0]:.1f}, {took[1]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
