"""Diffusion maps from the neighbours in an AnnData object, also as scanpy keeps its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags

from .._estimators import DiffusionMaps
from ..typing import Auto, Components, Seed, Strategy
from ._cells import check, neighbors_of
from ._join import joined, store
from ._written import facts


def diffmap(
    adata: Any,
    n_comps: int | Auto = 15,
    *,
    as_scanpy: bool = False,
    key_added: str | None = None,
    neighbors_key: str | None = None,
    use_rep: str | None = None,
    strategy: Strategy = "priced",
    alpha: float | Auto = "auto",
    components: Components = "connect",
    random_state: Seed = 0,
    copy: bool = False,
    **parameters: Any,
) -> Any:
    """Computes diffusion maps whose coordinates do not repeat each other.

    Like ``scanpy.tl.diffmap`` it takes the connectivities that ``scanpy.pp.neighbors`` left in
    ``adata``. It writes beside what scanpy writes; with ``as_scanpy=True`` in its place, so that
    ``scanpy.tl.dpt`` and whatever else reads ``X_diffmap`` takes these coordinates.

    Parameters
    ----------
    adata : AnnData
        Cells with neighbours.
    n_comps : int or "auto", default=15
        Number of coordinates; with ``as_scanpy`` the trivial one counts, as it does in scanpy.
    as_scanpy : bool, default=False
        Whether to write what ``scanpy.tl.diffmap`` writes: ``adata.obsm["X_diffmap"]``, in single
        precision, the eigenvectors of the symmetric matrix with the trivial one first, and their
        eigenvalues as ``adata.uns["diffmap_evals"]``. With ``strategy="orthogonal"`` the numbers
        are scanpy's, up to rounding and the signs of columns.
    key_added : str, default="X_nrdr"
        Where the coordinates go: ``adata.obsm[key_added]``; ``adata.uns[key_added]`` has the
        eigenvalues, the redundancy, the widths of the smoother, the verdict and the parameters.
        With ``as_scanpy`` it is "X_diffmap".
    neighbors_key : str, optional
        The key of the neighbours in ``adata.uns``; by default "neighbors".
    use_rep : str, optional
        The coordinates by which components are connected: a key of ``adata.obsm``, or "X". By
        default those that the neighbours were computed from.
    strategy : str, default="priced"
        What a coordinate owes to the earlier ones; "orthogonal" is the original method.
    alpha : float or "auto", default="auto"
        Width of the smoother.
    components : {"connect", "largest", "error"}, default="connect"
        What happens when the cells fall apart. "connect" adds the shortest edges between the
        components and keeps the joined neighbours as ``adata.uns[neighbors_key + "_connected"]``;
        with "largest" the other cells are NaN.
    random_state : int, RandomState or None, default=0
        Start of the random numbers.
    copy : bool, default=False
        Whether to return a copy instead of changing ``adata``.
    **parameters
        Further parameters of ``DiffusionMaps``, such as ``density``, ``smoother`` or ``n_jobs``.

    Returns
    -------
    adata : AnnData or None
        The copy, if one was asked for.

    Examples
    --------
    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> from sklearn.neighbors import kneighbors_graph
    >>> import nrdr.scanpy
    >>> X, truth = nrdr.datasets.make_swiss_roll(400)
    >>> graph = kneighbors_graph(X, 10)
    >>> cells = SimpleNamespace(uns={"neighbors": {}}, obsm={})
    >>> cells.obsp = {"connectivities": graph.maximum(graph.T)}
    >>> nrdr.scanpy.diffmap(cells, n_comps=2)
    >>> cells.obsm["X_nrdr"].shape
    (400, 2)
    >>> nrdr.scanpy.diffmap(cells, n_comps=3, as_scanpy=True)
    >>> cells.obsm["X_diffmap"].shape, cells.uns["diffmap_evals"].shape
    ((400, 3), (3,))
    """
    check(adata)
    if as_scanpy:
        if key_added not in (None, "X_diffmap"):
            raise ValueError(
                f"key_added = {key_added!r} cannot be given with as_scanpy=True, which writes "
                "X_diffmap: that is where scanpy looks"
            )
        if not isinstance(n_comps, str) and n_comps < 2:
            raise ValueError(
                f"n_comps = {n_comps} is out of range: with as_scanpy=True it must be at least 2, "
                "as the trivial coordinate counts"
            )
    key_added = key_added or ("X_diffmap" if as_scanpy else "X_nrdr")
    there = neighbors_of(adata, neighbors_key)
    neighbors = joined(adata, there, components, use_rep, callers=2)
    maps = DiffusionMaps(
        n_comps - 1 if as_scanpy and not isinstance(n_comps, str) else n_comps,
        affinity="precomputed",
        strategy=strategy,
        alpha=alpha,
        components=components,
        random_state=random_state,
        **parameters,
    )
    maps._fit(neighbors.connectivities, None, callers=2)
    found = facts(maps, "dfm", neighbors_key=neighbors.key, as_scanpy=as_scanpy)
    coordinates = symmetric(maps, neighbors.connectivities) if as_scanpy else maps.embedding_
    # From here on nothing fails: what is written is written whole.
    adata = adata.copy() if copy else adata
    if neighbors is not there:
        store(adata, neighbors)
    adata.obsm[key_added] = coordinates
    adata.uns[key_added] = found
    if as_scanpy:
        adata.uns["diffmap_evals"] = np.array([1, *maps.eigenvalues_], dtype=np.float32)
    return adata if copy else None


def symmetric(maps: DiffusionMaps, graph: csr_matrix) -> np.ndarray:
    """Coordinates of the random walk D^-1 W as eigenvectors of D^-1/2 W D^-1/2, unit length.

    The trivial one, a constant for the random walk, is the square root of the degrees. W are the
    connectivities without the density, Q^-a W Q^-a.
    """
    graph = graph.astype(float)
    # Zero are the degrees of cells without any neighbour, which are NaN in the coordinates.
    with np.errstate(divide="ignore"):
        powers = np.asarray(graph.sum(axis=1)).ravel() ** -maps.density
    kernel = diags(powers) @ graph @ diags(powers)
    roots = np.sqrt(np.asarray(kernel.sum(axis=1)).ravel())
    embedding = maps.embedding_
    vectors = np.column_stack([np.ones(len(embedding)), embedding]) * roots[:, None]
    vectors[np.isnan(embedding).any(axis=1)] = np.nan
    vectors /= np.sqrt(np.nansum(vectors**2, axis=0))
    largest = np.nanargmax(abs(vectors), axis=0)
    vectors *= np.sign(vectors[largest, range(vectors.shape[1])])
    return vectors.astype(np.float32)
