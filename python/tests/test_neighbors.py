"""Neighbours by each metric of the core are those of scikit-learn."""

import json
import subprocess

import numpy as np
import pytest
from conftest import CATALOG
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import haversine_distances
from sklearn.neighbors import NearestNeighbors

import nrdr
from nrdr import _nrdr
from nrdr._neighbors import METRICS, core_metric, named

K = 8

#: Parameters of estimators, by which the core searches.
CASES = [*({"metric": metric} for metric in METRICS)] + [
    {"metric": "minkowski", "p": p} for p in (1, 1.5, 2, 3, 4, 10, np.inf)
]


def ids(own):
    return f"{own['metric']}:{own['p']}" if "p" in own else own["metric"]


def core(own):
    return core_metric(own["metric"], own.get("p", 2), None)


def points(metric, n, columns, seed=0):
    """Points that the metric knows, no two of which are equally far from a third."""
    random = np.random.default_rng(seed)
    if metric == "haversine":
        return random.uniform([-1.5, -3.1], [1.5, 3.1], (n, 2))
    if metric == "hamming":
        return random.integers(0, 3, (n, columns)).astype(float)
    curve = np.outer(random.random(n), np.arange(1, columns + 1))
    return np.sin(curve) + 0.3 * random.random((n, columns)) + 0.5


@pytest.mark.parametrize("columns", [3, 20, 100])
@pytest.mark.parametrize("own", CASES, ids=ids)
def test_neighbours_are_those_of_scikit_learn(own, columns):
    X = points(own["metric"], 700, columns)
    indices, distances = _nrdr.neighbors(X, core(own), K)
    # A tree takes distances one by one; products leave fewer digits.
    brute = own["metric"] in ("cosine", "correlation", "hamming")
    algorithm = "brute" if brute else "ball_tree"
    theirs = NearestNeighbors(n_neighbors=K, algorithm=algorithm, **own).fit(X)
    expected, lists = theirs.kneighbors()
    # 1 - x tells small distances to the last digit of 1.
    assert np.allclose(distances, expected, rtol=1e-12, atol=1e-15)
    if own["metric"] != "hamming":
        assert np.array_equal(indices, lists)
    # Each distance is that of the pair.
    of_lists = np.take_along_axis(all_pairs(X, X, own), indices.astype(np.intp), axis=1)
    assert np.allclose(distances, of_lists, rtol=1e-12, atol=1e-15)


def all_pairs(X, Y, own):
    """By SciPy, which has no places on a sphere."""
    if own["metric"] == "haversine":
        return haversine_distances(X, Y)
    names = {"l1": "cityblock", "manhattan": "cityblock", "l2": "euclidean"}
    if own.get("p") == np.inf:
        return cdist(X, Y, "chebyshev")
    power = {"p": own["p"]} if "p" in own else {}
    return cdist(X, Y, names.get(own["metric"], own["metric"]), **power)


def test_metrics_are_those_of_the_catalogue():
    names = {entry["name"].partition(":")[0] for entry in CATALOG["metrics"]}
    assert names == {*METRICS.values(), "minkowski"}


def test_equally_many_columns_differ_for_the_first():
    X = np.random.default_rng(1).integers(0, 2, (300, 40)).astype(float)
    indices, distances = _nrdr.neighbors(X, "hamming", K)
    pairs = cdist(X, X, "hamming")
    np.fill_diagonal(pairs, np.inf)
    expected = np.lexsort((np.broadcast_to(np.arange(300), (300, 300)), pairs), axis=1)[:, :K]
    assert np.array_equal(indices, expected)
    assert np.array_equal(distances, np.take_along_axis(pairs, expected, axis=1))


@pytest.mark.parametrize("own", CASES, ids=ids)
def test_estimators_follow_the_metric(own):
    X, new = (points(own["metric"], n, 5, seed) for n, seed in ((300, 2), (20, 3)))
    isomap = nrdr.Isomap(n_neighbors=K, strategy="orthogonal", **own).fit(X)
    assert getattr(isomap, "_search", None) is None
    assert isomap.report_.get("metric", "euclidean") == {
        "minkowski:1.0": "manhattan", "minkowski:2.0": "euclidean"
    }.get(core(own), core(own).removesuffix(".0"))  # fmt: skip
    assert isomap.quality_["neighborhoods"] > 0
    if own["metric"] == "hamming":
        return
    # What scikit-learn finds comes as the distances of all pairs.
    by_pairs = nrdr.Isomap(n_neighbors=K, strategy="orthogonal", metric="precomputed")
    by_pairs.fit(all_pairs(X, X, own))
    assert np.allclose(isomap.embedding_, by_pairs.embedding_, atol=1e-6)
    expected = by_pairs.transform(all_pairs(new, X, own))
    assert np.allclose(isomap.transform(new), expected, atol=1e-6)
    paths = isomap.dist_matrix_
    assert paths.shape == (300, 300) and np.allclose(paths, paths.T)
    # No way is shorter than the straight one, but for what is no metric by the triangle inequality.
    squares = own["metric"] in ("cosine", "correlation")
    assert squares or (paths + 1e-9 >= all_pairs(X, X, own)).all()


def test_what_the_core_does_not_know_scikit_learn_searches():
    X = points("manhattan", 200, 4)
    for own in (
        {"metric": "braycurtis"},
        {"metric": "seuclidean", "metric_params": {"V": [1, 2, 3, 4]}},
    ):
        isomap = nrdr.Isomap(**own).fit(X)
        assert isomap._search is not None and "metric" not in isomap.report_
        with pytest.raises(ValueError, match="neighbours that the core searches"):
            nrdr.compare(X, isomap)
    assert core_metric("minkowski", 0.5, None) is None
    assert core_metric("manhattan", 2, {"w": 1}) is None
    assert core_metric(lambda a, b: 0.0, 2, None) is None
    table = nrdr.compare(X, nrdr.Isomap(metric="cosine"), strategies=["orthogonal"])
    own = nrdr.Isomap(metric="cosine", strategy="orthogonal").fit(X).quality_
    assert table.loc["orthogonal", "trustworthiness"] == own["trustworthiness"]


def test_what_has_no_distance_is_named():
    X = points("cosine", 50, 3)
    X[7] = 0
    with pytest.raises(ValueError, match="row 7 is zero, and has no cosine distance"):
        nrdr.LaplacianEigenmaps(metric="cosine").fit(X)
    degrees = np.random.default_rng(0).uniform(40, 50, (60, 2))
    with pytest.raises(ValueError, match="convert degrees to radians"):
        nrdr.DiffusionMaps(metric="haversine").fit(degrees)
    with pytest.raises(ValueError, match=r'searched exactly only.*search="exact"'):
        nrdr.LaplacianEigenmaps(metric="manhattan", search="approximate").fit(degrees)


@pytest.mark.parametrize("metric", ["cosine", "minkowski:3"])
def test_models_travel_with_their_metric(metric, program, tmp_path):
    X, new = points("cosine", 200, 4), points("cosine", 10, 4, 5)
    isomap = nrdr.Isomap(**named(metric)).fit(X)
    isomap.save(tmp_path / "of-python.model")
    again = nrdr.load(tmp_path / "of-python.model")
    assert (again.metric, again.p) == (named(metric)["metric"], named(metric).get("p", 2))
    assert np.array_equal(again.transform(new), isomap.transform(new))
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "new.npy", new)

    def run(*arguments):
        subprocess.run([program, *arguments, "--quiet"], cwd=tmp_path, check=True)

    run("transform", "of-python.model", "new.npy", "-o", "f.npy")
    assert np.array_equal(np.load(tmp_path / "f.npy"), isomap.transform(new))
    run(
        "embed",
        "x.npy",
        "-m",
        "isomap",
        "--metric",
        metric,
        "--model",
        "m.model",
        "--json",
        "m.json",
    )
    told = json.loads((tmp_path / "m.json").read_text())
    assert told["metric"] == metric == isomap.report_["metric"]
    assert told["quality"] == {k: v for k, v in isomap.quality_.items() if k != "original"}
    of_program = nrdr.load(tmp_path / "m.model")
    assert np.array_equal(of_program.transform(new), isomap.transform(new))
