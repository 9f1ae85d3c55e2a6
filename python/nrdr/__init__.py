"""Non-redundant dimensionality reduction.

Spectral methods (Laplacian eigenmaps, diffusion maps, LLE, modified LLE, Hessian LLE, LTSA, Isomap,
kernel PCA) whose coordinates do not repeat each other, as scikit-learn estimators on a core in
Rust.
"""

from . import dask, datasets, plot, scanpy
from ._compare import compare
from ._embed import Embedded, embed
from ._estimators import (
    LTSA,
    DiffusionMaps,
    HessianEigenmaps,
    Isomap,
    LaplacianEigenmaps,
    LocallyLinearEmbedding,
    ModifiedLLE,
)
from ._explain import explain
from ._matrices import KernelPCA, Precomputed
from ._models import load
from ._nrdr import __version__
from ._redundancy import Redundancy, redundancy
from ._report import report

__all__ = [
    "LTSA",
    "DiffusionMaps",
    "Embedded",
    "HessianEigenmaps",
    "Isomap",
    "KernelPCA",
    "LaplacianEigenmaps",
    "LocallyLinearEmbedding",
    "ModifiedLLE",
    "Precomputed",
    "Redundancy",
    "__version__",
    "compare",
    "dask",
    "datasets",
    "embed",
    "explain",
    "load",
    "plot",
    "redundancy",
    "report",
    "scanpy",
]
