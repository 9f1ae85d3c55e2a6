"""Redundancy, comparison, single cells, progress."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import block_diag
from sklearn.manifold import SpectralEmbedding
from sklearn.neighbors import kneighbors_graph

import nrdr


@pytest.fixture(scope="module")
def fitted(roll):
    return nrdr.LaplacianEigenmaps().fit(roll[0])


def test_redundancy(fitted):
    found = nrdr.redundancy(fitted.embedding_)
    assert found.errors.tolist() == fitted.redundancy_.tolist()
    # Points with the same neighbours have the same coordinates, and count once.
    different = len(np.unique(fitted.embedding_, axis=0))
    assert found.pairwise.shape == (2, 2) and found.points == different > 790
    assert "coordinate 1" in found.verdict
    for wrong in (fitted.embedding_[:, :1], np.ones((50, 2))):
        with pytest.raises(ValueError):
            nrdr.redundancy(wrong)
    with pytest.raises(ValueError, match="bandwidth = 'x' is out of range"):
        nrdr.redundancy(fitted.embedding_, bandwidth="x")
    with pytest.raises(ValueError, match="sample = -1 is out of range"):
        nrdr.redundancy(fitted.embedding_, sample=-1)
    with_gaps = fitted.embedding_.copy()
    with_gaps[3] = with_gaps[7, 1] = np.nan
    with pytest.raises(ValueError, match="row 7, column 1 holds nan"):
        nrdr.redundancy(with_gaps)
    with_gaps[7] = np.nan
    with pytest.warns(UserWarning, match=r"2 row\(s\) of NaN are left out"):
        assert nrdr.redundancy(with_gaps).points == different - 2


def test_compare(roll):
    X, truth = roll
    y = np.where(truth[:, 0] > 9, "out", "in")
    table = nrdr.compare(X, nrdr.LTSA(n_neighbors=12), y=y, truth=truth)
    assert list(table.index) == [
        "orthogonal",
        "priced",
        "unpredictable",
        "selection",
        "independent",
        "regression",
        "advection",
    ]
    assert {"predictable", "accuracy", "R2(1)", "R2(2)", "seconds"} <= set(table.columns)
    assert table.loc["unpredictable", "R2(2)"] > 0.9
    for wrong in (nrdr.LTSA, SpectralEmbedding()):
        with pytest.raises(TypeError, match="must be an estimator of nrdr, such as"):
            nrdr.compare(X, wrong)
    with pytest.raises(ValueError, match="there is no strategy x"):
        nrdr.compare(X, strategies=["x"])
    with pytest.raises(ValueError, match="has size 10, expected 800"):
        nrdr.compare(X, truth=truth[:10])


def test_submodules_are_there():
    code = "import nrdr, sys; nrdr.plot.embedding; nrdr.scanpy.diffmap; nrdr.datasets.make_cube; "
    code += "assert not {'matplotlib', 'scanpy', 'tqdm'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_scanpy_needs_neighbours():
    with pytest.raises(ValueError, match=r"run scanpy\.pp\.neighbors first"):
        nrdr.scanpy.diffmap(SimpleNamespace(uns={}))


def test_cells_that_fall_apart(roll):
    graph = kneighbors_graph(roll[0][:300], 10)
    graph = block_diag([graph.maximum(graph.T), np.ones((5, 5))], format="csr")
    cells = SimpleNamespace(uns={"neighbors": {}}, obsm={}, obsp={"connectivities": graph})
    with pytest.warns(UserWarning, match='joined by 1 added .* choose components="largest"'):
        nrdr.scanpy.diffmap(cells, 2)
    with pytest.raises(ValueError, match="2 components"):
        nrdr.scanpy.diffmap(cells, 2, components="error")
    with pytest.warns(UserWarning, match="5 points outside the largest are left out"):
        nrdr.scanpy.diffmap(cells, 2, components="largest", density=0.5, n_jobs=1)
    assert np.isnan(cells.obsm["X_nrdr"]).any(axis=1).sum() == 5


@pytest.mark.parametrize("fails", [False, True])
def test_bar(fails, capsys):
    X = np.ones((50, 3)) if fails else nrdr.datasets.make_strip(300)[0]
    try:
        nrdr.LaplacianEigenmaps(verbose=True).fit(X)
    except ValueError:
        assert fails
    assert ("100%" in capsys.readouterr().err) != fails


def test_progress(capsys, monkeypatch):
    X = np.random.default_rng(0).normal(size=(3000, 40))
    nrdr.LaplacianEigenmaps(verbose=True).fit(X)
    assert "LaplacianEigenmaps" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    nrdr.LaplacianEigenmaps(verbose=True).fit(X)
    assert "LaplacianEigenmaps: " in capsys.readouterr().err
