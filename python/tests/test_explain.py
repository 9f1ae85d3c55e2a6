"""What coordinates mean, beside a regression by scikit-learn's neighbours."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import spearmanr
from sklearn.datasets import load_iris
from sklearn.neighbors import NearestNeighbors, kneighbors_graph
from test_pictures import data_of

import nrdr


@pytest.fixture(scope="module")
def fitted(roll):
    return nrdr.LaplacianEigenmaps().fit(roll[0])


def told_by_neighbours(table, values):
    """R2 of the mean over the 10 nearest points, the point itself left out."""
    scaled = table / table.std(axis=0)
    near = NearestNeighbors(n_neighbors=10).fit(scaled).kneighbors(return_distance=False)
    errors = values - values[near].mean(axis=1)
    return 1 - (errors**2).sum() / ((values - values.mean()) ** 2).sum()


def test_shares_are_those_of_a_regression(fitted, roll):
    truth = roll[1]
    Y = fitted.embedding_
    told = nrdr.explain(fitted, y={"angle": truth[:, 0], "height": truth[:, 1]})
    assert [meaning["columns"][0]["name"] for meaning in told] == ["angle", "height"]
    for coordinate, meaning in enumerate(told):
        for column in meaning["columns"]:
            values = truth[:, ["angle", "height"].index(column["name"])]
            alone = told_by_neighbours(Y[:, [coordinate]], values)
            # Points with the same neighbours have coordinates that differ by rounding: it decides
            # which of them is nearer, and which rank is whose.
            assert column["alone"] == pytest.approx(max(0, alone), abs=1e-4)
            rho = spearmanr(Y[:, coordinate], values).statistic
            assert column["correlation"] == pytest.approx(rho, abs=1e-6)
    height = told[1]["columns"][0]
    gained = told_by_neighbours(Y, truth[:, 1]) - max(0, told_by_neighbours(Y[:, :1], truth[:, 1]))
    # Rounding decides between neighbours that are equally far.
    assert height["beyond"] == pytest.approx(gained, abs=1e-4) and gained > 0.8


def test_an_estimator_tells_of_its_columns(roll):
    X = pd.DataFrame(roll[0], columns=["x", "height", "z"])
    fitted = nrdr.LaplacianEigenmaps().fit(X)
    told = fitted.explain_
    assert told == nrdr.explain(fitted, X) == fitted.report_["meaning"]
    assert told[1]["columns"][0]["name"] == "height" and told[1]["columns"][0]["beyond"] > 0.8
    original = fitted.report_["original"]["meaning"]
    assert all(column["beyond"] < 0.3 for column in original[1]["columns"])
    unnamed = nrdr.LaplacianEigenmaps().fit(roll[0]).explain_
    assert unnamed[1]["columns"][0]["name"] == "x2"


def test_classes_are_set_apart():
    X, y = load_iris(return_X_y=True, as_frame=True)
    kinds = y.map(dict(enumerate(["setosa", "versicolor", "virginica"]))).rename("kind")
    with pytest.warns(UserWarning, match="components"):
        fitted = nrdr.Isomap().fit(X)
    first = nrdr.explain(fitted, y=kinds)[0]["classes"][0]
    assert (first["label"], first["class"]) == ("kind", "setosa") and first["alone"] > 0.95
    place = pd.Series(fitted.embedding_[:, 0]).rank().sub(1).div(149)[kinds == "setosa"].mean()
    assert first["place"] == pytest.approx(place, abs=0.02)
    # All of them different: fewer than 50 would be labels.
    size = X.iloc[:, 2].to_numpy() + 1e-6 * np.arange(150)
    frame = pl.DataFrame({"kind": kinds.tolist(), "size": size})
    both = nrdr.explain(fitted.embedding_, y=frame)[0]
    assert both["classes"][0] == first and both["columns"][0]["name"] == "size"


def test_rows_that_are_not_embedded_do_not_count(roll):
    X = roll[0][:300]
    far = X[:12] + 1e4
    with pytest.warns(UserWarning, match="left out"):
        both = nrdr.LaplacianEigenmaps(components="largest").fit(np.vstack([far, X]))
    height = np.concatenate([np.full(12, 1e9), X[:, 1]])
    alone = nrdr.explain(nrdr.LaplacianEigenmaps().fit(X), y={"height": X[:, 1]})
    told = nrdr.explain(both, y={"height": height})
    assert told[1]["columns"][0]["beyond"] == pytest.approx(
        alone[1]["columns"][0]["beyond"], abs=1e-4
    )


def test_what_cannot_be_told(fitted, roll):
    with pytest.raises(ValueError, match="X or y is needed"):
        nrdr.explain(fitted)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        nrdr.explain(fitted, y=[1, 2])
    graph = kneighbors_graph(roll[0][:300], 10)
    of_graph = nrdr.LaplacianEigenmaps(affinity="precomputed").fit(graph.maximum(graph.T))
    assert of_graph.explain_ is None and of_graph.report_["meaning"] == []
    assert nrdr.explain(roll[0][:15], y=np.arange(15.0)) == []


def test_a_report_shows_several_labels_and_names(fitted, roll, tmp_path):
    X, truth = roll
    y = pd.DataFrame({
        "side": np.where(truth[:, 0] > 9, "out", "in"),
        "up": np.where(truth[:, 1] > 10, "high", "low"),
        "height": truth[:, 1],
    })  # fmt: skip
    ids = [f"p{row}" for row in range(len(X))]
    data = data_of(nrdr.report(fitted, tmp_path / "page.html", X, y=y, ids=ids))
    assert [label["name"] for label in data["labels"]] == ["side", "up"]
    assert data["columns"][0]["name"] == "height" and data["ids"]["values"][3] == "p3"
    ours = data["embeddings"][1]["meaning"]
    assert ours[1]["columns"][0]["name"] in ("height", "x2")
    gained = {told["class"]: told["beyond"] for told in ours[1]["classes"]}
    assert min(gained["high"], gained["low"]) > 0.5 > gained["in"]
    assert "labels that neighbours tell" in [bars["name"] for bars in data["answers"][1]["bars"]]
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        nrdr.report(fitted, tmp_path / "page.html", X, ids=ids[:5])
