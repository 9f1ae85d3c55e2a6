"""A chain of five atoms that turns about its two inner bonds: both angles, from the positions.

Brownian motion among four wells, two for each angle, of which the first turns farther.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

import nrdr


def simulate(n, wells, rng):
    """The angles of n molecules after a while; the barriers are as high as the temperature."""
    angles, step = np.zeros((n, 2)), 2e-3
    for _ in range(3000):
        u = angles / wells
        angles += step * 4 * u * (1 - u**2) / wells + np.sqrt(2 * step) * rng.normal(size=(n, 2))
    return angles


def atom(a, b, c, dihedral):
    """What is bonded to c at 110 degrees, turned by the dihedral angles from a, b and c."""
    along, normal = c - b, np.cross(b - a, c - b) / np.linalg.norm(np.cross(b - a, c - b))
    turned = np.multiply.outer(np.cos(dihedral), np.cross(normal, along))
    turned += np.multiply.outer(np.sin(dihedral), normal)
    return c - np.cos(np.radians(110)) * along + np.sin(np.radians(110)) * turned


def main():
    rng = np.random.default_rng(0)
    angles = simulate(1500, np.array([1.4, 0.4]), rng)
    # The inner atoms stay where they are; bonds have length one, and none is along an axis.
    b, c = np.zeros(3), np.ones(3) / np.sqrt(3)
    d = atom(np.array([1.0, -1.0, 0.0]), b, c, 0.0)
    X = np.hstack([atom(d, c, b, angles[:, 0]), atom(b, c, d, angles[:, 1])])
    X += 0.05 * rng.normal(size=X.shape)
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3), layout="constrained")
    for ax, strategy in zip(axes, ["orthogonal", "priced"]):
        Y = nrdr.DiffusionMaps(strategy=strategy).fit_transform(X)
        told = cross_val_predict(KNeighborsRegressor(10), Y / Y.std(axis=0), angles)
        first, second = 1 - ((told - angles) ** 2).mean(axis=0) / angles.var(axis=0)
        print(f"{strategy}: R2 of the angles {first:.2f} and {second:.2f}")
        assert first > 0.9 and (second > 0.9 if strategy == "priced" else second < 0.5)
        ax.scatter(*Y.T, c=angles[:, 1], s=4)
        ax.set(title=strategy, xticks=[], yticks=[])
    figure.savefig("molecule.png", dpi=90)


if __name__ == "__main__":
    main()
