"""Beside scanpy's own tools: from the neighbours that are already in an AnnData object."""

from __future__ import annotations

from typing import Any

from ._estimators import DiffusionMaps


def diffmap(
    adata: Any,
    n_comps: int = 15,
    *,
    key_added: str = "X_nrdr",
    neighbors_key: str | None = None,
    strategy: str = "priced",
    alpha: float | str = "auto",
    components: str = "connect",
    random_state: Any = 0,
    copy: bool = False,
    **parameters: Any,
) -> Any:
    """Computes diffusion maps whose coordinates do not repeat each other.

    Like ``scanpy.tl.diffmap`` it takes the connectivities that ``scanpy.pp.neighbors`` left in
    ``adata``, but its first coordinate is not the trivial one.

    Parameters
    ----------
    adata : AnnData
        Cells with neighbours.
    n_comps : int, default=15
        Number of coordinates.
    key_added : str, default="X_nrdr"
        Where they go: ``adata.obsm[key_added]``; ``adata.uns[key_added]`` has the eigenvalues, the
        redundancy, the widths of the smoother and the verdict.
    neighbors_key : str, optional
        The key of the neighbours in ``adata.uns``; by default "neighbors".
    strategy : str, default="priced"
        What a coordinate owes to the earlier ones.
    alpha : float or "auto", default="auto"
        Width of the smoother.
    components : {"connect", "largest", "error"}, default="connect"
        What happens when the cells fall apart. Connectivities do not tell how far the parts are
        from each other: "connect" joins them as weakly as any, with a warning; with "largest" the
        other cells are NaN.
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
    """
    key = "neighbors" if neighbors_key is None else neighbors_key
    if key not in adata.uns:
        raise ValueError(f"adata.uns has no {key!r}: run scanpy.pp.neighbors first")
    adata = adata.copy() if copy else adata
    graph = adata.obsp[adata.uns[key].get("connectivities_key", "connectivities")]
    maps = DiffusionMaps(
        n_comps,
        affinity="precomputed",
        strategy=strategy,
        alpha=alpha,
        components=components,
        random_state=random_state,
        **parameters,
    ).fit(graph)
    adata.obsm[key_added] = maps.embedding_
    adata.uns[key_added] = {
        "eigenvalues": maps.eigenvalues_,
        "redundancy": maps.redundancy_,
        "alpha": maps.alpha_,
        "verdict": maps.report_["verdict"],
    }
    return adata if copy else None
