"""Redundancy, comparison, reports, pictures, display."""

import json
import re
import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest

import nrdr
import nrdr.plot
import nrdr.scanpy

mpl.use("agg")


@pytest.fixture(scope="module")
def fitted(roll):
    return nrdr.LaplacianEigenmaps().fit(roll[0])


def data_of(page):
    """What the page's script is given."""
    return json.loads(
        re.search(r'type="application/json"[^>]*>(.*?)</script>', page.read_text()).group(1)
    )


def test_redundancy(fitted):
    found = nrdr.redundancy(fitted.embedding_)
    assert found.errors.tolist() == fitted.redundancy_.tolist()
    assert found.pairwise.shape == (2, 2) and found.points == 800
    assert "coordinate 1" in found.verdict
    for wrong in (fitted.embedding_[:, :1], np.ones((50, 2))):
        with pytest.raises(ValueError):
            nrdr.redundancy(wrong)
    with pytest.raises(ValueError, match="bandwidth = 'x' is out of range"):
        nrdr.redundancy(fitted.embedding_, bandwidth="x")


def test_compare(roll):
    X, truth = roll
    y = np.where(truth[:, 0] > 9, "out", "in")
    table = nrdr.compare(X, nrdr.LTSA(n_neighbors=12), y=y, truth=truth)
    assert list(table.index) == [
        "orthogonal",
        "unpredictable",
        "selection",
        "regression",
        "advection",
    ]
    assert {"predictable", "accuracy", "R2(1)", "R2(2)", "seconds"} <= set(table.columns)
    assert table.loc["unpredictable", "R2(2)"] > 0.9
    with pytest.raises(ValueError, match="there is no strategy x"):
        nrdr.compare(X, strategies=["x"])
    with pytest.raises(ValueError, match="has size 10, expected 800"):
        nrdr.compare(X, truth=truth[:10])


def test_report(fitted, roll, tmp_path):
    X, truth = roll
    page = nrdr.report(fitted, tmp_path / "page.html", X, y=np.where(truth[:, 0] > 9, "<b>", "in"))
    data = data_of(page)
    assert [one["name"] for one in data["embeddings"]] == ["orthogonal", "unpredictable"]
    assert data["verdict"].startswith("Coordinate 2 of the original is")
    assert data["label"]["values"] == ["<b>", "in"] and len(data["columns"]) == 3
    assert (
        "LaplacianEigenmaps" in data["command"]
        and "<b>" not in page.read_text().split("application/json")[1]
    )
    assert list(tmp_path.iterdir()) == [page]


def test_report_of_other_embeddings(fitted, tmp_path):
    alone = data_of(nrdr.report(fitted, tmp_path / "alone.html"))
    array = data_of(nrdr.report(fitted.embedding_, tmp_path / "array.html", title="Mine"))
    assert alone["embeddings"][0]["coordinates"] == array["embeddings"][0]["coordinates"]
    assert alone["embeddings"][0]["redundancy"] == array["embeddings"][0]["redundancy"]
    assert array["title"] == "Mine" and alone["title"] == "LaplacianEigenmaps"


def test_report_is_that_of_the_command_line(program, roll, tmp_path):
    np.save(tmp_path / "x.npy", roll[0])
    subprocess.run(
        [program, "embed", tmp_path / "x.npy", "-q", "--report", tmp_path / "theirs.html"],
        check=True,
    )
    fitted = nrdr.LaplacianEigenmaps().fit(roll[0])
    ours = nrdr.report(fitted, tmp_path / "ours.html", roll[0], title="x.npy")
    mine, theirs = data_of(ours), data_of(tmp_path / "theirs.html")
    for name in ("title", "verdict", "facts", "shown", "total", "columns", "warnings"):
        assert mine[name] == theirs[name], name
    for one, other in zip(mine["embeddings"], theirs["embeddings"]):
        assert {**one, "seconds": 0} == {**other, "seconds": 0}


def test_report_leaves_nothing_half_written(fitted, roll, tmp_path):
    with pytest.raises(ValueError, match="inconsistent numbers of samples: \\[800, 10\\]"):
        nrdr.report(fitted, tmp_path / "page.html", roll[0][:10])
    with pytest.raises(FileNotFoundError):
        nrdr.report(fitted, tmp_path / "nowhere" / "page.html")
    assert not list(tmp_path.iterdir())


def test_jupyter(fitted):
    html = fitted._repr_html_()
    assert fitted.report_["verdict"].replace("'", "&#x27;") in html and "<svg" in html
    assert fitted._repr_mimebundle_()["text/html"] == html
    one = nrdr.LaplacianEigenmaps(1).fit(nrdr.datasets.make_strip(100)[0])
    assert "<svg" in one._repr_html_()
    assert "LTSA()" in nrdr.LTSA()._repr_html_()


def test_plot(fitted, roll):
    labels = nrdr.plot.embedding(fitted, roll[1][:, 0] > 9)
    assert [text.get_text() for text in labels.get_legend().get_texts()] == ["False", "True"]
    assert (
        nrdr.plot.embedding(fitted.embedding_, roll[1][:, 0], dims=(1, 0)).get_xlabel()
        == "coordinate 2"
    )
    with pytest.raises(ValueError, match="out of range"):
        nrdr.plot.embedding(fitted, dims=(0, 2))


def test_scanpy_needs_neighbours():
    from types import SimpleNamespace

    with pytest.raises(ValueError, match=r"run scanpy\.pp\.neighbors first"):
        nrdr.scanpy.diffmap(SimpleNamespace(uns={}))


def test_progress(capsys, monkeypatch):
    X = np.random.default_rng(0).normal(size=(3000, 40))
    nrdr.LaplacianEigenmaps(verbose=True).fit(X)
    assert "LaplacianEigenmaps" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    nrdr.LaplacianEigenmaps(verbose=True).fit(X)
    assert "LaplacianEigenmaps: " in capsys.readouterr().err
