"""Reports, pictures, and what Jupyter shows."""

import base64
import json
import pickle
import re
import subprocess
from html import escape, unescape

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.manifold import SpectralEmbedding
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import kneighbors_graph

import nrdr

mpl.use("agg")


@pytest.fixture(scope="module")
def fitted(roll):
    return nrdr.LaplacianEigenmaps().fit(roll[0])


def data_of(page):
    """What the page's script is given, of a file or of a text."""
    text = page if isinstance(page, str) else page.read_text()
    return json.loads(re.search(r'type="application/json"[^>]*>(.*?)</script>', text).group(1))


def test_report(fitted, roll, tmp_path):
    X, truth = roll
    page = nrdr.report(fitted, tmp_path / "page.html", X, y=np.where(truth[:, 0] > 9, "<b>", "in"))
    data = data_of(page)
    assert [one["name"] for one in data["embeddings"]] == ["orthogonal", "priced"]
    assert data["verdict"].startswith("Coordinate 2 is new")
    assert data["labels"][0]["values"] == ["<b>", "in"] and len(data["columns"]) == 3
    assert (
        data["command"].startswith("nrdr.report(nrdr.LaplacianEigenmaps().fit(X), '")
        and "<b>" not in page.read_text().split("application/json")[1]
    )
    assert ["candidates", "None"] in data["parameters"]
    assert list(tmp_path.iterdir()) == [page]


def test_report_of_other_embeddings(fitted, roll, tmp_path):
    alone = data_of(nrdr.report(fitted, tmp_path / "alone.html"))
    array = data_of(nrdr.report(fitted.embedding_, tmp_path / "array.html", title="Mine"))
    assert alone["embeddings"][0]["coordinates"] == array["embeddings"][0]["coordinates"]
    assert alone["embeddings"][0]["redundancy"] == array["embeddings"][0]["redundancy"]
    theirs = SpectralEmbedding(n_neighbors=10).fit(roll[0][:200])
    theirs = data_of(nrdr.report(theirs, tmp_path / "theirs.html", roll[0][:200]))
    assert theirs["shown"] == 200 and len(theirs["columns"]) == 3
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
    theirs["verdict"] = theirs["verdict"].replace("--strategy orthogonal", 'strategy="orthogonal"')
    for name in (
        "title", "headline", "answers", "verdict", "facts", "shown", "total", "columns", "warnings"
    ):  # fmt: skip
        assert mine[name] == theirs[name], name
    for one, other in zip(mine["embeddings"], theirs["embeddings"]):
        assert {**one, "seconds": 0} == {**other, "seconds": 0}


def test_report_leaves_nothing_half_written(fitted, roll, tmp_path):
    with pytest.raises(ValueError, match="inconsistent numbers of samples: \\[800, 10\\]"):
        nrdr.report(fitted, tmp_path / "page.html", roll[0][:10])
    with pytest.raises(FileNotFoundError, match=r"nowhere.page\.html"):
        nrdr.report(fitted, tmp_path / "nowhere" / "page.html")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["graph", "lengths", "distances", "kernel"])
def test_report_of_what_are_no_points(kind, roll, kernel, tmp_path):
    X = roll[0][:300]
    graph = kneighbors_graph(X, 10)
    estimator, given = {
        "graph": (nrdr.LaplacianEigenmaps(affinity="precomputed"), graph.maximum(graph.T)),
        "lengths": (nrdr.Isomap(metric="precomputed"), kneighbors_graph(X, 10, mode="distance")),
        "distances": (nrdr.Isomap(metric="precomputed"), pairwise_distances(X)),
        "kernel": (nrdr.KernelPCA(kernel="precomputed"), kernel),
    }[kind]
    data = data_of(nrdr.report(estimator.fit(given), tmp_path / "page.html", given))
    assert len(data["embeddings"]) == 2 and data["columns"] == []


@pytest.mark.parametrize(
    ("images", "message"),
    [
        ((-1, 8), "images = -1 is out of range: it must be at least 1"),
        ((8, 8), r"images = \(8, 8\) has 64 pixels, but X 3 columns"),
    ],
)
def test_pictures_that_are_none(images, message, fitted, roll, tmp_path):
    with pytest.raises(ValueError, match=message):
        nrdr.report(fitted, tmp_path / "page.html", roll[0], images=images)
    with pytest.raises(ValueError, match="images needs X"):
        nrdr.report(fitted, tmp_path / "page.html", images=images)


def test_pictures(digits, tmp_path):
    X, y = digits[0][:200], digits[1][:200]
    page = nrdr.report(nrdr.LTSA().fit(X), tmp_path / "page.html", X, y, images=[8, 8])
    assert data_of(page)["images"]["width"] == 8


#: What is known of points, as users have it, some of it missing; and the labels that are shown.
WORDS = ["a", None, "b"] * 100
GIVEN = [
    (np.array(WORDS, dtype=object), ["a", "b", "missing"]),
    (["a", np.nan, "b"] * 100, ["a", "b", "missing"]),
    (pd.Series(WORDS), ["a", "b", "missing"]),
    (pd.Series(WORDS, dtype="category"), ["a", "b", "missing"]),
    (pd.Series([1, None, 2] * 100, dtype="Int64"), ["1", "2", "missing"]),
    (pl.Series(WORDS), ["a", "b", "missing"]),
    ([1, "a", 2] * 100, ["1", "2", "a"]),
    ([True, False, True] * 100, ["False", "True"]),
    (np.arange(300), None),
    (np.where(np.arange(300) % 3, np.arange(300.0), np.nan), None),
    (pd.Series(range(300), dtype="Int64").where(lambda s: s % 3 > 0), None),
]


@pytest.mark.parametrize(("y", "labels"), GIVEN)
def test_labels_and_numbers(y, labels, roll, tmp_path):
    Y = roll[0][:300]
    data = data_of(nrdr.report(Y, tmp_path / "page.html", y=y))
    legend = nrdr.plot.embedding(Y, y).get_legend()
    plt.close("all")
    if labels is None:
        assert data["labels"] == [] and legend is None
        values = np.frombuffer(base64.b64decode(data["columns"][0]["values"]), dtype="<f4")
        assert data["columns"][0]["name"] == "y" and values[1] == 1
        assert np.isnan(values[::3]).all() or values[3] == 3
    else:
        assert data["labels"][0]["values"] == labels and data["columns"] == []
        assert [text.get_text() for text in legend.get_texts()] == labels
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        nrdr.plot.embedding(Y, y[:5])


def test_missing_labels_are_compared(roll):
    y = np.where(roll[1][:300, 0] > 9, "out", None)
    table = nrdr.compare(roll[0][:300], strategies=["orthogonal"], y=y)
    assert table.loc["orthogonal", "accuracy"] > 0.8


def test_jupyter(fitted):
    html = fitted._repr_html_()
    assert escape(fitted.report_["verdict"]) in html and "<svg" in html
    assert fitted._repr_mimebundle_()["text/html"] == html
    one = nrdr.LaplacianEigenmaps(1).fit(nrdr.datasets.make_strip(100)[0])
    assert "<svg" in one._repr_html_()
    assert ">point</text>" in one._repr_html_() and ">coordinate 2</text>" in html
    assert "LTSA()" in nrdr.LTSA()._repr_html_()


def test_many_bars():
    html = nrdr._html.bars(np.linspace(1, 0.1, 15))
    assert html.count("%</div>") == 10 and "and 4 more" in html
    assert html.count("width:20px;text-align:right") == 10
    assert nrdr._html.bars(np.array([1, np.nan])) == ""


def test_plot(fitted, roll):
    labels = nrdr.plot.embedding(fitted, roll[1][:, 0] > 9)
    assert [text.get_text() for text in labels.get_legend().get_texts()] == ["False", "True"]
    assert (
        nrdr.plot.embedding(fitted.embedding_, roll[1][:, 0], dims=(1, 0)).get_xlabel()
        == "coordinate 2"
    )
    with pytest.raises(ValueError, match="out of range"):
        nrdr.plot.embedding(fitted, dims=(0, 2))
    with pytest.raises(ValueError, match="out of range"):
        nrdr.plot.embedding(fitted, dims=())
    with pytest.raises(ValueError, match="out of range"):
        nrdr.plot.embedding(fitted, dims=(-1, 0))
    with pytest.raises(NotFittedError):
        nrdr.plot.embedding(nrdr.LTSA())
    with pytest.raises(TypeError, match="PCA has no embedding_"):
        nrdr.plot.embedding(PCA().fit(roll[0]))


def test_plot_in_space(roll):
    maps = nrdr.LaplacianEigenmaps(3).fit(roll[0])
    ax = nrdr.plot.embedding(maps, roll[1][:, 0] > 9, dims=(2, 0, 1))
    assert [ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()] == [
        "coordinate 3", "coordinate 1", "coordinate 2",
    ]  # fmt: skip
    drawn = np.concatenate([np.column_stack(one._offsets3d) for one in ax.collections])
    first = roll[1][:, 0] > 9
    table = maps.embedding_[:, [2, 0, 1]]
    assert np.array_equal(drawn, np.concatenate([table[~first], table[first]]))
    numbers = nrdr.plot.embedding(maps, roll[1][:, 0], dims=(0, 1, 2), ax=ax, s=3)
    assert numbers is ax and len(ax.figure.axes) == 2
    with pytest.raises(ValueError, match="ax must be an Axes of two dimensions for 2 coordinates"):
        nrdr.plot.embedding(maps, ax=ax)
    with pytest.raises(ValueError, match="ax must be an Axes with projection='3d'"):
        nrdr.plot.embedding(maps, dims=(0, 1, 2), ax=plt.subplots()[1])
    plt.close("all")


def test_plot_of_one_coordinate(roll):
    ax = nrdr.plot.embedding(roll[0][:, :1], title="one")
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("point", "coordinate 1", "one")
    assert np.array_equal(ax.collections[0].get_offsets()[:, 1], roll[0][:, 0])
    with pytest.raises(ValueError, match=r"this one has shape \(3,\)"):
        nrdr.plot.embedding([1.0, 2.0, 3.0])
    plt.close("all")


def test_plotly(fitted, roll):
    labels = np.where(roll[1][:, 0] > 9, "<b>out", "in")
    flat = nrdr.plot.embedding(fitted, labels, backend="plotly")
    assert [trace.type for trace in flat.data] == ["scattergl", "scattergl"]
    assert [trace.name for trace in flat.data] == ["&lt;b&gt;out", "in"]
    for trace, word in zip(flat.data, ("<b>out", "in")):
        there = np.flatnonzero(labels == word)
        assert np.array_equal(trace.customdata, there)
        assert np.array_equal(trace.y, fitted.embedding_[there, 1])
    assert flat.layout.yaxis.title.text == "coordinate 2"
    told = flat.layout.title.text.replace("<br>", " ")
    assert told == escape(fitted.report_["verdict"])
    numbers = np.where(np.arange(800) % 3, roll[1][:, 0], np.nan)
    space = nrdr.plot.embedding(roll[0], numbers, dims=(0, 1, 2), backend="plotly", opacity=0.5)
    grey, coloured = space.data
    assert grey.type == "scatter3d" and grey.marker.color == nrdr.plot.MISSING
    assert len(grey.x) == 267 and coloured.marker.showscale and coloured.marker.opacity == 0.5
    assert np.array_equal(coloured.marker.color, numbers[np.arange(800) % 3 > 0])
    assert space.layout.scene.zaxis.title.text == "coordinate 3"
    with pytest.raises(ValueError, match="backend = 'gnuplot' is out of range"):
        nrdr.plot.embedding(fitted, backend="gnuplot")


def test_pictures_of_a_call(roll, tmp_path):
    found = nrdr.embed(roll[0], label=roll[1][:, 0] > 9, n_components=3)
    page = found.report()
    assert type(page.upper()) is str and repr(page) == f"<page of {len(page)} letters>"
    file = found.report(tmp_path / "page.html")
    command = "nrdr.embed(data, label=label, n_components=3).report("
    ours, written = data_of(page), data_of(file)
    assert ours.pop("command") == command + ")"
    assert written.pop("command") == f"{command}{str(file)!r})"
    del ours["peak_memory_mb"], written["peak_memory_mb"]
    assert ours == written and ours["labels"][0]["values"] == ["False", "True"]
    assert ours["verdict"] == found.verdict and len(ours["embeddings"]) == 2
    frame = page._repr_html_()
    inside = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" sandbox="[a-z -]*" style="[^"]*"></iframe>', frame
    )
    assert unescape(inside.group(1)) == page
    assert escape(found.verdict) in found._repr_html_()
    assert found._repr_html_().count("<title>") == 2
    ax = found.plot(dims=(0, 1, 2), title=None)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["False", "True"]
    assert found.plot().get_title() == found.verdict
    assert found.plot(backend="plotly").data[1].name == "True"
    plt.close("all")


@pytest.mark.parametrize("strategy", ["unpredictable", "selection", "regression", "advection"])
def test_a_report_computes_nothing_again(strategy, roll, tmp_path, monkeypatch):
    X = roll[0][:300]
    fitted = nrdr.LaplacianEigenmaps(strategy=strategy).fit(X)
    # Advection may halt early: then there are as many original coordinates beside it.
    dims = fitted.embedding_.shape[1]
    original = nrdr.LaplacianEigenmaps(dims, strategy="orthogonal").fit(X)
    table, facts = fitted._original
    assert np.array_equal(table, original.embedding_)
    # Times of stages that were done once are the same to the last bit.
    for stage in ("neighbour search", "graph", "matrix", "factorisation"):
        assert facts["seconds"][stage] == fitted.report_["seconds"][stage]
    monkeypatch.setattr(nrdr._report._nrdr, "fit", None)
    page = nrdr.report(pickle.loads(pickle.dumps(fitted)), tmp_path / "page.html", X).read_text()
    assert page.count('"name":"orthogonal"') == 1 and f'"name":"{strategy}"' in page
    assert original._original is None
