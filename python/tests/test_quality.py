"""How good an embedding is, beside scikit-learn's measure and beside the original."""

import json
import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.manifold import trustworthiness
from sklearn.neighbors import kneighbors_graph

import nrdr
from nrdr import _nrdr


@pytest.fixture(scope="module")
def fitted(roll):
    return nrdr.LaplacianEigenmaps().fit(roll[0])


def test_the_measures_are_those_of_scikit_learn(fitted, roll):
    found = fitted.quality_
    for quality, table in (
        (found, fitted.embedding_),
        (found["original"], fitted._original[0]),
    ):
        scaled = table / table.std(axis=0)
        expected = trustworthiness(roll[0], scaled, n_neighbors=10)
        assert abs(quality["trustworthiness"] - expected) < 1e-3
        expected = trustworthiness(scaled, roll[0], n_neighbors=10)
        assert abs(quality["continuity"] - expected) < 1e-3
        assert quality["queries"] == 800 and quality["accuracy"] is None
        centred = np.sort((table - table.mean(axis=0)) ** 2, axis=0)
        assert np.allclose(quality["spikes"], centred[-8:].sum(axis=0) / centred.sum(axis=0))


def test_it_stands_in_the_report_and_in_the_verdict(fitted):
    report, found = fitted.report_, fitted.quality_
    assert report["original"]["quality"] == found["original"]
    assert report["quality"] == {k: v for k, v in found.items() if k != "original"}
    assert "eighbourhoods" in report["verdict"]
    assert f"{found['trustworthiness']:.3f}" in report["verdict"]
    assert fitted.redundancy_.tolist() == report["redundancy"]["errors"]


def test_the_verdict_speaks_of_both(fitted):
    found, verdict = fitted.quality_, fitted.report_["verdict"]
    shares = [
        1 - run["redundancy"]["errors"][1] ** 2
        for run in (fitted.report_, fitted.report_["original"])
    ]
    percents = [f"{100 * max(0, share):.0f} %" for share in shares]
    assert verdict.startswith(
        f"Coordinate 2 is new: {percents[0]} of its variance is predictable from coordinate 1 "
        f"(original: {percents[1]}). "
    )
    better = f"{found['trustworthiness']:.3f} against {found['original']['trustworthiness']:.3f}"
    assert better in verdict


def test_the_original_has_nothing_beside_it(roll):
    original = nrdr.LaplacianEigenmaps(strategy="orthogonal").fit(roll[0])
    assert original.quality_["original"] is None and "original" not in original.report_
    ours = nrdr.LaplacianEigenmaps().fit(roll[0])
    without = {k: v for k, v in original.quality_.items() if k != "original"}
    assert ours.quality_["original"] == without
    assert "a trustworthiness of" in original.report_["verdict"]


def test_a_better_original_is_named_with_the_way_to_it():
    ours = {"trustworthiness": 0.9, "continuity": 0.9, "neighborhoods": 0.1, "queries": 500}
    ours |= {"accuracy": None, "spikes": [0.1]}
    told = _nrdr.kept(json.dumps(ours), json.dumps({**ours, "trustworthiness": 0.95}))
    assert told == (
        "The original keeps neighbourhoods better (trustworthiness 0.950 against 0.900): "
        'try strategy="orthogonal".'
    )


def test_pickles_can_still_be_measured(roll):
    fitted = nrdr.LTSA().fit(roll[0])
    again = pickle.loads(pickle.dumps(fitted))
    assert again.quality_ == fitted.quality_
    assert pickle.loads(pickle.dumps(fitted)).quality_ == fitted.quality_


def test_points_that_are_left_out_do_not_count():
    X, _ = nrdr.datasets.make_strip(300)
    far = X[:20] * 0.1 + 100
    with pytest.warns(UserWarning, match="left out"):
        both = nrdr.LaplacianEigenmaps(components="largest").fit(np.vstack([far, X]))
    assert both.quality_["queries"] == 300
    alone = nrdr.LaplacianEigenmaps().fit(X).quality_
    assert abs(both.quality_["trustworthiness"] - alone["trustworthiness"]) < 1e-6


def test_what_are_no_points_has_none(roll):
    graph = kneighbors_graph(roll[0][:300], 10)
    fitted = nrdr.LaplacianEigenmaps(affinity="precomputed").fit(graph.maximum(graph.T))
    assert fitted.quality_ is None and "eighbourhoods" not in fitted.report_["verdict"]
    with pytest.raises(NotFittedError):
        _ = nrdr.LTSA().quality_


def test_labels_of_a_report_are_scored(fitted, roll, tmp_path):
    y = np.where(roll[1][:, 0] > 9, "out", "in")
    page = nrdr.report(fitted, tmp_path / "page.html", roll[0], y=y).read_text()
    assert "of the labels" in page
    assert "of the labels" not in nrdr.report(fitted, tmp_path / "page.html", roll[0]).read_text()
