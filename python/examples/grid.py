"""A long grid by the Laplacian matrix of its graph: what the second coordinate is."""

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sp

import nrdr

LONG, WIDE = 40, 8


def path(n):
    """The Laplacian of n nodes in a row."""
    return sp.diags([-np.ones(n - 1), np.r_[1, 2 * np.ones(n - 2), 1], -np.ones(n - 1)], [-1, 0, 1])


def main():
    grid = sp.kronsum(path(LONG), path(WIDE)).tocsr()
    row, column = np.divmod(np.arange(LONG * WIDE), LONG)
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
    for ax, strategy in zip(axes, ["orthogonal", "priced"]):
        est = nrdr.Precomputed(2, end="smallest", trivial=np.ones(LONG * WIDE), strategy=strategy)
        Y = est.fit(grid).embedding_
        told = abs(np.corrcoef(Y[:, 1], row)[0, 1])
        print(f"{strategy}: coordinate 2 and the row, |correlation| {told:.2f}")
        assert told > 0.95 if strategy == "priced" else told < 0.05
        ax.scatter(*Y.T, c=column, s=8)
        ax.set(title={"orthogonal": "original", "priced": "non-redundant"}[strategy])
        ax.set(xlabel="coordinate 1", ylabel="coordinate 2")
    figure.savefig("precomputed.png", dpi=110)


if __name__ == "__main__":
    main()
