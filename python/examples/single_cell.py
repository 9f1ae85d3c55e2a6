"""Blood in the making: four fates that diffusion maps show, and scanpy's pseudotime of them.

Needs scanpy, which brings the data: the simulated differentiation of Krumsiek et al. (2011), four
runs of 160 steps from a progenitor to another kind of cell each.
"""

import matplotlib.pyplot as plt
import numpy as np
import scanpy as sc
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import nrdr


def main():
    cells = sc.datasets.krumsiek11()
    fate, time = np.divmod(np.arange(cells.n_obs), 160)
    sc.pp.neighbors(cells, n_neighbors=20, method="gauss", use_rep="X")

    # Coordinates to look at: do two of them tell which run a cell is of, later than step 60?
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3), layout="constrained")
    for ax, strategy in zip(axes, ["orthogonal", "priced"]):
        nrdr.scanpy.embed(cells, "dfm", neighbors_key="neighbors", strategy=strategy)
        Y = cells.obsm["X_dfm"] / cells.obsm["X_dfm"].std(axis=0)
        told = cross_val_score(KNeighborsClassifier(10), Y[time > 60], fate[time > 60]).mean()
        print(f"{strategy}: fate told by two coordinates {told:.2f}")
        assert (told > 0.8) == (strategy == "priced")
        ax.scatter(*Y.T, c=fate, cmap="tab10", s=4)
        ax.set(title=strategy, xticks=[], yticks=[])
    figure.savefig("single_cell.png", dpi=90)

    # Pseudotime from the first cell: by scanpy alone, and with our coordinates in their place.
    cells.uns["iroot"] = 0
    sc.tl.diffmap(cells)
    sc.tl.dpt(cells)
    theirs = cells.obs["dpt_pseudotime"].to_numpy()
    print(f"scanpy: pseudotime and time {np.corrcoef(theirs, time)[0, 1]:.2f}")
    for strategy in ("orthogonal", "priced"):
        nrdr.scanpy.diffmap(cells, as_scanpy=True, strategy=strategy)
        sc.tl.dpt(cells)
        ours = cells.obs["dpt_pseudotime"].to_numpy()
        true, same = np.corrcoef([ours, time, theirs])[0, 1:]
        print(f"{strategy}: pseudotime and time {true:.2f}, and scanpy's {same:.8f}")
        assert (same > 0.999999) == (strategy == "orthogonal")


if __name__ == "__main__":
    main()
