"""scikit-learn's spectral estimators with its signatures, defaults and scalings, on our core.

Change the import, and nothing else::

    from nrdr.sklearn import Isomap  # instead of: from sklearn.manifold import Isomap

The strategy is that of the original methods unless ``strategy=`` says otherwise; parameters of a
strategy are given by ``strategy_params``, such as ``{"mu": 2.0}``.
"""

from ._functions import locally_linear_embedding, spectral_embedding
from ._isomap import Isomap
from ._kernel_pca import KernelPCA
from ._locally_linear import LocallyLinearEmbedding
from ._spectral import SpectralEmbedding

__all__ = [
    "Isomap",
    "KernelPCA",
    "LocallyLinearEmbedding",
    "SpectralEmbedding",
    "locally_linear_embedding",
    "spectral_embedding",
]
