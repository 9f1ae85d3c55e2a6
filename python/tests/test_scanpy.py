"""Beside scanpy: its diffusion maps and pseudotime, AnnData objects, and files of them."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import CATALOG
from scipy.sparse import block_diag, coo_matrix, csr_matrix, diags, triu
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.neighbors import kneighbors_graph

import nrdr

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import anndata
    import scanpy as sc

#: Those that take points.
METHODS = [entry["name"] for entry in CATALOG["methods"] if "points" in entry["takes"]]
CLASSES = {entry["name"]: getattr(nrdr, entry["class"]) for entry in CATALOG["methods"]}


@pytest.fixture(scope="module")
def blood():
    """700 blood cells that come with scanpy, with neighbours, scanpy's diffusion maps and dpt."""
    cells = sc.datasets.pbmc68k_reduced()
    sc.tl.diffmap(cells)
    cells.uns["iroot"] = 5
    sc.tl.dpt(cells)
    return cells


@pytest.fixture
def cells(blood):
    return blood.copy()


@pytest.fixture
def apart(cells):
    """The cells without the ties between three parts along a principal component."""
    sc.pp.neighbors(cells, n_neighbors=15, method="gauss", n_pcs=20)
    rank = cells.obsm["X_pca"][:, 0].argsort().argsort()
    group = np.searchsorted([60, 200], rank, side="right")
    for key in ("connectivities", "distances"):
        graph = coo_matrix(cells.obsp[key])
        keep = group[graph.row] == group[graph.col]
        kept = (graph.data[keep], (graph.row[keep], graph.col[keep]))
        cells.obsp[key] = csr_matrix(kept, graph.shape)
    assert 3 <= connected_components(cells.obsp["connectivities"])[0] < 10
    return cells


def pseudotime(cells, **options):
    sc.tl.dpt(cells, **options)
    return cells.obs["dpt_pseudotime"].to_numpy()


def signed(vectors, like):
    """Columns with the signs of others."""
    return vectors * np.sign(np.nansum(vectors * like, axis=0))


def test_scanpy_needs_neighbours():
    with pytest.raises(ValueError, match=r"run scanpy\.pp\.neighbors first"):
        nrdr.scanpy.diffmap(SimpleNamespace(uns={}))


def test_what_scanpy_writes(blood, cells):
    nrdr.scanpy.diffmap(cells, as_scanpy=True, strategy="orthogonal")
    theirs, ours = blood.obsm["X_diffmap"], cells.obsm["X_diffmap"]
    assert ours.dtype == theirs.dtype == np.float32 and ours.shape == theirs.shape == (700, 15)
    np.testing.assert_allclose(signed(ours, theirs), theirs, atol=1e-6)
    assert cells.uns["diffmap_evals"].dtype == blood.uns["diffmap_evals"].dtype
    np.testing.assert_allclose(cells.uns["diffmap_evals"], blood.uns["diffmap_evals"], rtol=1e-6)
    expected = blood.obs["dpt_pseudotime"].to_numpy()
    assert np.corrcoef(pseudotime(cells), expected)[0, 1] > 0.999999
    # Nothing else of scanpy's changed.
    assert set(cells.uns) - set(blood.uns) == {"X_diffmap"}
    assert set(cells.obsm) == set(blood.obsm) and set(cells.obsp) == set(blood.obsp)


@pytest.mark.parametrize("density", [0.0, 0.5])
def test_eigenvectors_of_the_symmetric_matrix(cells, density):
    nrdr.scanpy.diffmap(
        cells, 6, as_scanpy=True, strategy="orthogonal", density=density, key_added="X_diffmap"
    )
    graph = cells.obsp["connectivities"]
    powers = diags(np.asarray(graph.sum(axis=1)).ravel() ** -density)
    kernel = powers @ graph @ powers
    roots = diags(np.asarray(kernel.sum(axis=1)).ravel() ** -0.5)
    vectors, values = cells.obsm["X_diffmap"], cells.uns["diffmap_evals"]
    assert vectors.shape == (700, 6) and values[0] == 1
    np.testing.assert_allclose(roots @ kernel @ roots @ vectors, vectors * values, atol=1e-6)
    assert (vectors[abs(vectors).argmax(axis=0), range(6)] > 0).all()


@pytest.mark.parametrize("strategy", ["priced", "unpredictable"])
def test_pseudotime_of_coordinates_that_do_not_repeat(blood, cells, strategy):
    nrdr.scanpy.diffmap(cells, 5, as_scanpy=True, strategy=strategy)
    vectors, values = cells.obsm["X_diffmap"], cells.uns["diffmap_evals"].astype(float)
    np.testing.assert_allclose(vectors[:, 0], abs(blood.obsm["X_diffmap"][:, 0]), atol=1e-6)
    np.testing.assert_allclose((vectors**2).sum(axis=0), 1, atol=1e-6)
    np.testing.assert_allclose(vectors[:, 0] @ vectors[:, 1:], 0, atol=1e-6)
    # What the documentation says that it is.
    steps = values[1:] / (1 - values[1:]) * (vectors[:, 1:] - vectors[5, 1:])
    expected = np.sqrt((steps**2).sum(axis=1) + (vectors[:, 0] - vectors[5, 0]) ** 2)
    found = pseudotime(cells, n_dcs=5)
    np.testing.assert_allclose(found, expected / expected.max(), atol=1e-4)
    assert 0.9 < np.corrcoef(found, blood.obs["dpt_pseudotime"])[0, 1] < 0.999
    before = nrdr.redundancy(blood.obsm["X_diffmap"][:, 1:3]).errors[1]
    assert cells.uns["X_diffmap"]["redundancy"][1] > before + 0.05


def test_beside_scanpys_own(blood, cells):
    changed = nrdr.scanpy.diffmap(cells, 3, n_jobs=1, copy=True)
    assert "X_nrdr" not in cells.obsm and changed.obsm["X_nrdr"].shape == (700, 3)
    assert (changed.obsm["X_diffmap"] == blood.obsm["X_diffmap"]).all()
    graph = blood.obsp["connectivities"]
    direct = nrdr.DiffusionMaps(3, affinity="precomputed").fit(graph)
    assert (changed.obsm["X_nrdr"] == direct.embedding_).all()
    assert changed.uns["X_nrdr"]["verdict"] == direct.report_["verdict"]
    with pytest.raises(ValueError, match="with as_scanpy=True it must be at least 2"):
        nrdr.scanpy.diffmap(cells, 1, as_scanpy=True)
    with pytest.raises(ValueError, match="key_added = 'X_nrdr' cannot be given"):
        nrdr.scanpy.diffmap(cells, as_scanpy=True, key_added="X_nrdr")


def test_largest_component(apart):
    _, part = connected_components(apart.obsp["connectivities"])
    keep = part == np.bincount(part).argmax()
    alone = apart[keep].copy()
    sc.tl.diffmap(alone)
    with pytest.warns(UserWarning, match="outside the largest are left out") as told:
        nrdr.scanpy.diffmap(apart, as_scanpy=True, strategy="orthogonal", components="largest")
    assert told[0].filename == __file__
    found, theirs = apart.obsm["X_diffmap"], alone.obsm["X_diffmap"]
    np.testing.assert_allclose(signed(found[keep], theirs), theirs, atol=2e-6)
    assert np.isnan(found[~keep]).all()
    # The same pseudotime as without the other cells, which cannot be reached.
    apart.uns["iroot"] = np.flatnonzero(keep)[7]
    alone.uns["iroot"] = 7
    found = pseudotime(apart)
    assert np.isinf(found[~keep]).all()
    assert np.corrcoef(found[keep], pseudotime(alone))[0, 1] > 0.999999


def test_connected_components(apart):
    graph = apart.obsp["connectivities"]
    count, part = connected_components(graph)
    sc.tl.diffmap(apart)
    # scanpy: an eigenvalue of 1 for each component, and no way from one to another.
    np.testing.assert_allclose(apart.uns["diffmap_evals"][:count], 1, atol=1e-6)
    assert (np.isinf(pseudotime(apart)) == (part != part[5])).all()

    message = rf"has {count} components .*: joined by {count - 1} added edges .* in X_pca"
    with pytest.warns(UserWarning, match=message) as told:
        nrdr.scanpy.diffmap(apart, as_scanpy=True, strategy="orthogonal")
    assert told[0].filename == __file__
    assert np.isfinite(apart.obsm["X_diffmap"]).all()
    assert (apart.obsp["connectivities"] != graph).nnz == 0
    whole = apart.obsp["neighbors_connected_connectivities"]
    added = triu(whole - graph).tocoo()
    assert connected_components(whole)[0] == 1 and added.nnz == count - 1
    # No tie is stronger than the weakest of its ends.
    for one, other, weight in zip(added.row, added.col, added.data):
        assert np.isclose(weight, min(graph[one].data.min(), graph[other].data.min()))
    # The least tree of all pairs of components, by another program.
    points = apart.obsm["X_pca"][:, :20]
    pairs = cdist(points, points)
    between = [
        [pairs[np.ix_(part == a, part == b)].min() for b in range(count)] for a in range(count)
    ]
    tree = minimum_spanning_tree(np.array(between)).data
    np.testing.assert_allclose(np.sort(pairs[added.row, added.col]), np.sort(tree), rtol=1e-5)
    lengths = apart.obsp["neighbors_connected_distances"]
    np.testing.assert_allclose(lengths[added.row, added.col].A1, pairs[added.row, added.col])

    found = pseudotime(apart, neighbors_key="neighbors_connected")
    assert np.isfinite(found).all()
    # scanpy's own of the joined neighbours is the same.
    ours = apart.obsm["X_diffmap"]
    sc.tl.diffmap(apart, neighbors_key="neighbors_connected")
    theirs = apart.obsm["X_diffmap"]
    np.testing.assert_allclose(signed(ours, theirs)[:, :6], theirs[:, :6], atol=1e-4)


@pytest.mark.filterwarnings("error:.*divide")
def test_cells_without_neighbours(cells):
    lonely = diags((np.arange(700) > 1).astype(float))
    for key in ("connectivities", "distances"):
        cells.obsp[key] = csr_matrix(lonely @ cells.obsp[key] @ lonely)
    with pytest.warns(UserWarning, match="3 components .sizes 698, 1, 1.: joined by 2 added"):
        nrdr.scanpy.embed(cells, "isomap", neighbors_key="neighbors")
    assert np.isfinite(cells.obsm["X_isomap"]).all()
    added = cells.obsp["neighbors_connected_distances"][:2]
    points = cells.obsm["X_pca"]
    nearest = cdist(points[:2], points[2:]).min(axis=1)
    np.testing.assert_allclose(np.sort(added.data), np.sort(nearest), rtol=1e-5)
    with pytest.warns(UserWarning, match="2 points outside the largest are left out"):
        nrdr.scanpy.diffmap(cells, 3, as_scanpy=True, components="largest")
    assert (np.isnan(cells.obsm["X_diffmap"]).all(axis=1) == (np.arange(700) < 2)).all()


def test_cells_that_cannot_be_connected(roll):
    graph = kneighbors_graph(roll[0][:300], 10)
    graph = block_diag([graph.maximum(graph.T), np.ones((5, 5))], format="csr")
    cells = SimpleNamespace(uns={"neighbors": {}}, obsm={}, obsp={"connectivities": graph})
    with pytest.raises(ValueError, match='choose components="largest"'):
        nrdr.scanpy.diffmap(cells, 2)
    with pytest.raises(ValueError, match="300, 5"):
        nrdr.scanpy.diffmap(cells, 2, components="error")
    with pytest.warns(UserWarning, match="5 points outside the largest are left out"):
        nrdr.scanpy.diffmap(cells, 2, components="largest", density=0.5, n_jobs=1)
    assert np.isnan(cells.obsm["X_nrdr"]).any(axis=1).sum() == 5


def test_a_failure_leaves_nothing(apart):
    keys = set(apart.uns), set(apart.obsm), set(apart.obsp)
    with pytest.warns(UserWarning, match="joined by"), pytest.raises(ValueError, match="strategy"):
        nrdr.scanpy.diffmap(apart, 3, strategy="nonsense")
    with pytest.warns(UserWarning, match="joined by"), pytest.raises(ValueError, match="strategy"):
        nrdr.scanpy.embed(apart, "lem", strategy="nonsense", neighbors_key="neighbors")
    assert keys == (set(apart.uns), set(apart.obsm), set(apart.obsp))


@pytest.mark.filterwarnings("ignore:neighbourhoods look")
@pytest.mark.parametrize("method", METHODS)
def test_every_method(cells, method, tmp_path):
    nrdr.scanpy.embed(cells, method, n_neighbors=12)
    direct = CLASSES[method](n_neighbors=12).fit(cells.obsm["X_pca"])
    assert (cells.obsm[f"X_{method}"] == direct.embedding_).all()
    told = cells.uns[f"X_{method}"]
    assert told["params"]["n_neighbors"] == 12 and told["params"]["use_rep"] == "X_pca"
    # The same again from a file.
    file = tmp_path / "cells.h5ad"
    cells.write_h5ad(file)
    again = anndata.read_h5ad(file)
    assert (again.obsm[f"X_{method}"] == direct.embedding_).all()
    same(again.uns[f"X_{method}"], told)
    for name in ("eigenvalues", "redundancy", "alpha"):
        np.testing.assert_array_equal(again.uns[f"X_{method}"][name], getattr(direct, f"{name}_"))
    found = again.uns[f"X_{method}"]["quality"]
    assert found["trustworthiness"] == direct.quality_["trustworthiness"]
    assert again.uns[f"X_{method}"]["verdict"] == direct.report_["verdict"]


def same(found, expected):
    """Dictionaries with the same names, values and arrays."""
    assert set(found) == set(expected)
    for name, value in expected.items():
        if isinstance(value, dict):
            same(found[name], value)
        else:
            np.testing.assert_array_equal(found[name], value)


def test_written_as_scanpy_writes(cells, tmp_path):
    nrdr.scanpy.diffmap(cells, 4, as_scanpy=True, strategy="orthogonal")
    state = np.random.RandomState(0)
    nrdr.scanpy.embed(cells, "lem", 3, key_added="maps", random_state=state)
    cells.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    for key in ("X_diffmap", "maps"):
        same(again.uns[key], cells.uns[key])
    assert again.obsm["maps"].shape == (700, 3)
    assert pseudotime(again, n_dcs=4).max() == 1


def test_points_of_any_kind(cells, tmp_path):
    genes = np.ascontiguousarray(cells.X[:200, :60], dtype=float)
    direct = nrdr.LaplacianEigenmaps(strategy="orthogonal").fit(genes).embedding_
    few = anndata.AnnData(csr_matrix(genes))
    few.obsm["genes"] = np.hstack([genes, np.ones((200, 3))])
    few.write_h5ad(tmp_path / "few.h5ad")
    for key, options in [
        ("sparse", {}),
        ("named", {"use_rep": "X"}),
        ("columns", {"use_rep": "genes", "n_pcs": 60}),
    ]:
        nrdr.scanpy.embed(few, key_added=key, strategy="orthogonal", **options)
        assert (few.obsm[key] == direct).all()
    backed = anndata.read_h5ad(tmp_path / "few.h5ad", backed="r")
    nrdr.scanpy.embed(backed, strategy="orthogonal")
    assert (backed.obsm["X_lem"] == direct).all()
    backed.file.close()


def test_neighbours_and_matrices(cells):
    # Distances to 14 others, exact.
    sc.pp.neighbors(cells, n_neighbors=15, method="gauss", use_rep="X_pca")
    options = {"strategy": "orthogonal"}
    for method in ("lem", "dfm"):
        nrdr.scanpy.embed(cells, method, neighbors_key="neighbors", **options)
        direct = CLASSES[method](affinity="precomputed", **options)
        assert (
            cells.obsm[f"X_{method}"] == direct.fit_transform(cells.obsp["connectivities"])
        ).all()
    nrdr.scanpy.embed(cells, "isomap", neighbors_key="neighbors", **options)
    direct = nrdr.Isomap(n_neighbors=14, **options).fit_transform(cells.obsm["X_pca"])
    np.testing.assert_allclose(cells.obsm["X_isomap"], direct, atol=1e-5)

    cells.obsp["products"] = cells.obsm["X_pca"] @ cells.obsm["X_pca"].T
    ones = np.ones(700)
    nrdr.scanpy.embed(cells, "precomputed", obsp="products", trivial=ones, **options)
    nrdr.scanpy.embed(cells, "kpca", obsp="products", **options)
    components = np.linalg.svd(cells.obsm["X_pca"] - cells.obsm["X_pca"].mean(axis=0))[0][:, :2]
    for key in ("X_precomputed", "X_kpca"):
        found = cells.obsm[key]
        np.testing.assert_allclose(found, signed(components, found), atol=1e-4)


def test_what_is_asked_for_is_not_there(cells):
    for function in (nrdr.scanpy.embed, nrdr.scanpy.diffmap):
        with pytest.raises(TypeError, match="adata must be an AnnData, not ndarray"):
            function(cells.obsm["X_pca"])
    for options, message in [
        ({"method": "umap"}, "method = 'umap' is out of range: it must be lem, dfm"),
        ({"use_rep": "X_umpa"}, r"no 'X_umpa' \(use_rep\): it has 'X_pca', 'X_umap'"),
        ({"n_pcs": 51}, "n_pcs = 51 is out of range: X_pca has 50 columns"),
        ({"obsp": "affinities"}, "no 'affinities': it has 'distances', 'connectivities'"),
        ({"method": "lle", "obsp": "distances"}, "method = 'lle' needs coordinates, not obsp"),
        ({"method": "ltsa", "neighbors_key": "neighbors"}, "needs coordinates, not neighbors_key"),
        ({"method": "precomputed"}, "takes a matrix: give obsp"),
        ({"obsp": "distances", "use_rep": "X"}, "use_rep and obsp exclude each other"),
    ]:
        with pytest.raises(ValueError, match=message):
            nrdr.scanpy.embed(cells, **options)
    del cells.obsm["X_pca"]
    cells.X = None
    with pytest.raises(ValueError, match=r"adata\.X is empty and adata\.obsm has no 'X_pca'"):
        nrdr.scanpy.embed(cells)
