"""How far the original form of each method spans what scikit-learn's own spans.

Prints the table of docs/python.md: the largest angle, in degrees, between the planes of two
coordinates, for 400 points of a Swiss roll and 400 digits.
"""

import warnings

import numpy as np
from scipy.linalg import subspace_angles
from sklearn.datasets import load_digits
from sklearn.decomposition import KernelPCA
from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding

import nrdr

K = 12


def degrees(ours, theirs, centred=True):
    if centred:
        ours, theirs = ours - ours.mean(axis=0), theirs - theirs.mean(axis=0)
    return np.degrees(subspace_angles(ours, theirs).max())


def ours(estimator, k=K, **own):
    return estimator(n_components=2, strategy="orthogonal", n_neighbors=k, **own)


def local(method, k=K):
    return LocallyLinearEmbedding(
        n_neighbors=k, n_components=2, method=method, eigen_solver="dense"
    )


def lle(X):
    return degrees(
        ours(nrdr.LocallyLinearEmbedding).fit_transform(X), local("standard").fit_transform(X)
    )


def modified(X):
    found = ours(nrdr.ModifiedLLE, local_dim=2).fit_transform(X)
    return degrees(found, local("modified").fit_transform(X))


def ltsa(X):
    return degrees(ours(nrdr.LTSA, local_dim=2).fit_transform(X), local("ltsa").fit_transform(X))


def hessian(k):
    def angle(X):
        found = ours(nrdr.HessianEigenmaps, k, local_dim=2).fit_transform(X)
        return degrees(found, local("hessian", k).fit_transform(X))

    return angle


def isomap(X):
    theirs = Isomap(n_neighbors=K, n_components=2)
    return degrees(ours(nrdr.Isomap).fit_transform(X), theirs.fit_transform(X))


def kernel(X):
    gamma = 1 / X.var(axis=0).sum()
    theirs = KernelPCA(n_components=2, kernel="rbf", gamma=gamma)
    return degrees(ours(nrdr.KernelPCA, gamma=gamma).fit_transform(X), theirs.fit_transform(X))


def laplacian(X):
    theirs = SpectralEmbedding(n_components=2, affinity="nearest_neighbors", n_neighbors=K)
    found = ours(nrdr.LaplacianEigenmaps).fit_transform(X)
    return degrees(found, theirs.fit_transform(X), centred=False)


def with_outlier(X):
    """One more point, which has neighbours but is nobody's."""
    return np.vstack([X, X.max(axis=0) + 0.3 * np.ptp(X, axis=0).max()])


def in_two(X):
    """The second half moved away."""
    moved = X.copy()
    moved[len(X) // 2 :, 0] += 10 * np.ptp(X)
    return moved


ROWS = [
    ("`LocallyLinearEmbedding`", lle, None),
    ("`ModifiedLLE`, `local_dim=2`", modified, None),
    ("`LTSA`, `local_dim=2`", ltsa, None),
    ("`Isomap`", isomap, None),
    ("`KernelPCA`, the same `gamma`", kernel, None),
    ("`LaplacianEigenmaps` of points", laplacian, None),
    ("`HessianEigenmaps`, `local_dim=2`, 6 neighbours", hessian(6), None),
    ("the same, 12 neighbours", hessian(12), None),
    ("the same, 20 neighbours", hessian(20), None),
    ("a point that is nobody's neighbour: `LTSA`", ltsa, with_outlier),
    ("the same: `LocallyLinearEmbedding`", lle, with_outlier),
    ("in two pieces: `LocallyLinearEmbedding`", lle, in_two),
    ("in two pieces: `LTSA`", ltsa, in_two),
    ("in two pieces: `LaplacianEigenmaps`", laplacian, in_two),
    ("in two pieces: `Isomap`", isomap, in_two),
]


def main():
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    data = [nrdr.datasets.make_swiss_roll(400)[0], load_digits().data[:400]]
    # No two points are equally far from a third, so that neighbours are no convention.
    data = [X + 1e-3 * X.std() * rng.normal(size=X.shape) for X in data]
    print("| method | roll | digits |\n|---|---|---|")
    for name, angle, change in ROWS:
        found = [angle(X if change is None else change(X)) for X in data]
        shown = ("< 0.0001°" if value < 1e-4 else f"{value:.2g}°" for value in found)
        print(f"| {name} | {' | '.join(shown)} |")


if __name__ == "__main__":
    main()
