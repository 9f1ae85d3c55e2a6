"""UMAP from a start that already unrolls. Needs umap-learn, which scanpy brings along.

UMAP moves points that are near each other; how the whole lies is mostly what it was told at first.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr
from sklearn.linear_model import LinearRegression
from umap import UMAP

import nrdr


def main():
    X, truth = nrdr.datasets.make_swiss_roll(1200, height=21, random_state=0)
    angle, height = truth.T
    # The roll laid flat: the length of the spiral, and the height.
    spiral = (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2
    flat = np.column_stack([spiral, height])
    ours = nrdr.LaplacianEigenmaps().fit_transform(X)
    starts = {"spectral": "spectral", "nrdr": 10 * ours / abs(ours).max()}
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3), layout="constrained")
    for ax, (name, start) in zip(axes, starts.items()):
        Y = UMAP(n_neighbors=10, init=start, random_state=0, n_jobs=1).fit_transform(X)
        ranks = spearmanr(pdist(Y), pdist(flat)).statistic
        linear = LinearRegression().fit(Y, height).score(Y, height)
        assert (ranks > 0.95 and linear > 0.6) if name == "nrdr" else linear < 0.2
        print(f"{name}: rank correlation of distances {ranks:.2f}, R2 of the height {linear:.2f}")
        ax.scatter(*Y.T, c=height, s=4)
        ax.set(title=f"UMAP, init: {name}", xticks=[], yticks=[], aspect="equal")
    figure.savefig("umap_start.png", dpi=90)


if __name__ == "__main__":
    main()
