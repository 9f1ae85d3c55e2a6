"""Blood cells: diffusion maps on the neighbours that scanpy found.

Needs scanpy, which brings the data: 700 of the 68 000 PBMC of 10x Genomics.
"""

import scanpy as sc

import nrdr
import nrdr.scanpy


def main() -> None:
    cells = sc.datasets.pbmc68k_reduced()
    sc.tl.diffmap(cells, n_comps=6)
    nrdr.scanpy.diffmap(cells, n_comps=5)
    # scanpy's first component is the trivial one.
    theirs = nrdr.redundancy(cells.obsm["X_diffmap"][:, 1:])
    print("scanpy:", theirs.errors.round(2))
    print("nrdr:  ", cells.uns["X_nrdr"]["redundancy"].round(2))
    print(cells.uns["X_nrdr"]["verdict"])
    nrdr.report(
        cells.obsm["X_nrdr"], "cells.html", y=cells.obs["bulk_labels"], title="PBMC, non-redundant"
    )


if __name__ == "__main__":
    main()
