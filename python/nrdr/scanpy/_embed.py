"""Every method, from the coordinates, the neighbours or a matrix in an AnnData object."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._methods import CLASSES, class_of
from ..typing import Auto, Components, Method, Seed
from ._cells import Neighbors, check, matrix_of, neighbors_of, points_of
from ._join import joined, store
from ._written import facts


def embed(
    adata: Any,
    method: Method = "lem",
    n_comps: int | Auto = 2,
    *,
    use_rep: str | None = None,
    n_pcs: int | None = None,
    neighbors_key: str | None = None,
    obsp: str | None = None,
    key_added: str | None = None,
    components: Components = "connect",
    random_state: Seed = 0,
    copy: bool = False,
    **parameters: Any,
) -> Any:
    """Embeds cells by any of the methods, with coordinates that do not repeat each other.

    Parameters
    ----------
    adata : AnnData
        Cells.
    method : str, default="lem"
        One of <methods>.
    n_comps : int or "auto", default=2
        Number of coordinates, or as many as are worth having, at most 10.
    use_rep : str, optional
        The coordinates of the cells: a key of ``adata.obsm``, or "X" for ``adata.X``, which becomes
        dense if it is sparse. By default "X_pca", or "X" where there are no principal components.
    n_pcs : int, optional
        So many columns of them are used; all by default.
    neighbors_key : str, optional
        Take the neighbours of this key of ``adata.uns`` instead of coordinates: "neighbors" is
        where ``scanpy.pp.neighbors`` leaves them. "lem" and "dfm" take the connectivities, "isomap"
        the distances; the other methods need coordinates.
    obsp : str, optional
        Take this matrix of ``adata.obsp`` instead: affinities for "lem" and "dfm", distances for
        "isomap", a kernel for "kpca", any symmetric matrix for "precomputed".
    key_added : str, optional
        Where the coordinates go: ``adata.obsm[key_added]``; ``adata.uns[key_added]`` has the
        eigenvalues, the redundancy, the quality, the widths of the smoother, the verdict and the
        parameters. By default "X_" and the method's name, so that
        ``scanpy.pl.embedding(adata, "lem")`` draws it.
    components : {"connect", "largest", "error"}, default="connect"
        What happens when the cells fall apart. "connect" adds the shortest edges between the
        components; those of given neighbours are kept as
        ``adata.uns[neighbors_key + "_connected"]``. With "largest" the other cells are NaN.
    random_state : int, RandomState or None, default=0
        Start of the random numbers.
    copy : bool, default=False
        Whether to return a copy instead of changing ``adata``.
    **parameters
        Further parameters of the method's estimator, such as ``n_neighbors``, ``strategy``,
        ``alpha`` or ``n_jobs``.

    Returns
    -------
    adata : AnnData or None
        The copy, if one was asked for.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import nrdr.scanpy
    >>> X, truth = nrdr.datasets.make_swiss_roll(400)
    >>> cells = SimpleNamespace(X=X, uns={}, obsm={}, obsp={})
    >>> nrdr.scanpy.embed(cells, "isomap", n_neighbors=12)
    >>> cells.obsm["X_isomap"].shape
    (400, 2)
    >>> cells.uns["X_isomap"]["params"]["n_neighbors"]
    12
    """
    check(adata)
    estimator = class_of(method)
    sources = {"use_rep": use_rep, "neighbors_key": neighbors_key, "obsp": obsp}
    asked = [name for name, value in sources.items() if value is not None]
    # With neighbours, use_rep says by which coordinates their components are connected.
    if len(asked) > 1 and asked != ["use_rep", "neighbors_key"]:
        raise ValueError(f"{' and '.join(asked)} exclude each other: give one of them")
    joint, source = None, dict[str, Any]()
    if neighbors_key is not None:
        there = neighbors_of(adata, neighbors_key)
        neighbors = joined(adata, there, components, use_rep, callers=2)
        joint = None if neighbors is there else neighbors
        data, own = of_neighbors(method, neighbors)
        source |= {"neighbors_key": neighbors.key}
    elif obsp is not None:
        data, own = matrix_of(adata, obsp), of_matrix(method)
        source |= {"obsp": obsp}
    elif method == "precomputed":
        raise ValueError("method = 'precomputed' takes a matrix: give obsp, a key of adata.obsp")
    else:
        points = points_of(adata, use_rep, n_pcs)
        data, own = points.values, {}
        source |= {"use_rep": points.name, "n_pcs": n_pcs}
    fitted = estimator(
        n_comps, components=components, random_state=random_state, **{**own, **parameters}
    )
    fitted._fit(data, None, callers=2)
    found = facts(fitted, method, **source)
    # From here on nothing fails: what is written is written whole.
    key_added = key_added or f"X_{method}"
    adata = adata.copy() if copy else adata
    if joint is not None:
        store(adata, joint)
    adata.obsm[key_added] = fitted.embedding_
    adata.uns[key_added] = found
    return adata if copy else None


embed.__doc__ = (embed.__doc__ or "").replace("<methods>", ", ".join(map(repr, CLASSES)))


def of_neighbors(method: str, neighbors: Neighbors) -> tuple[Any, dict[str, Any]]:
    """What a method takes of neighbours, and what it has to be told of them."""
    if method in ("lem", "dfm"):
        return neighbors.connectivities, {"affinity": "precomputed"}
    if method != "isomap":
        raise ValueError(
            f"method = {method!r} needs coordinates, not neighbors_key; lem, dfm and isomap take "
            "neighbours"
        )
    if neighbors.distances is None:
        raise ValueError(f"adata.uns[{neighbors.key!r}] has no distances, which isomap needs")
    # All edges that there are.
    most = int(np.diff(neighbors.distances.indptr).max())
    return neighbors.distances, {"metric": "precomputed", "n_neighbors": most}


def of_matrix(method: str) -> dict[str, Any]:
    """What a method has to be told to take a matrix of all pairs."""
    told = {
        "lem": {"affinity": "precomputed"},
        "dfm": {"affinity": "precomputed"},
        "isomap": {"metric": "precomputed"},
        "kpca": {"kernel": "precomputed"},
        "precomputed": {},
    }
    if method not in told:
        raise ValueError(
            f"method = {method!r} needs coordinates, not obsp; {', '.join(told)} take a matrix"
        )
    return told[method]
