"""Coordinates of new points."""

import pickle

import numpy as np
import pytest
from conftest import ESTIMATORS, name_of
from sklearn.base import clone
from sklearn.neighbors import KNeighborsRegressor, kneighbors_graph

import nrdr


@pytest.mark.parametrize("strategy", ["priced", "unpredictable", "orthogonal"])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name_of)
def test_training_points_keep_their_coordinates(estimator, strategy, roll):
    X = roll[0][:400]
    fitted = clone(estimator).set_params(strategy=strategy).fit(X)
    assert np.abs(fitted.transform(X) - fitted.embedding_).max() < 1e-6
    assert np.array_equal(clone(fitted).fit_transform(X), fitted.embedding_)


def recovered(train, truth, new, new_truth):
    """R2 of the true parameters, told by 10 neighbours in the embedding."""
    scale = train.std(axis=0)
    model = KNeighborsRegressor(10).fit(train / scale, truth)
    error = ((model.predict(new / scale) - new_truth) ** 2).mean(axis=0)
    return 1 - error / truth.var(axis=0)


@pytest.mark.parametrize(
    "estimator", [e for e in ESTIMATORS if not isinstance(e, nrdr.KernelPCA)], ids=name_of
)
def test_held_out_points_of_the_roll(estimator):
    X, truth = nrdr.datasets.make_swiss_roll(3000, height=21, random_state=2)
    train, tune, new = slice(0, 2000), slice(0, 1000), slice(2000, 3000)
    fitted = clone(estimator).set_params(n_neighbors=12).fit(X[train])
    # Training points are told by the other half of them, new ones by all but as many.
    other = slice(1000, 2000)
    at_home = recovered(
        fitted.embedding_[other], truth[other], fitted.embedding_[tune], truth[tune]
    )
    abroad = recovered(fitted.embedding_[other], truth[other], fitted.transform(X[new]), truth[new])
    assert (abroad > at_home - 0.02).all(), (at_home, abroad)


def test_distances_of_new_points(roll):
    X = roll[0][:400]
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    by_points = nrdr.Isomap(strategy="orthogonal").fit(X[:300])
    by_distances = nrdr.Isomap(strategy="orthogonal", metric="precomputed").fit(
        distances[:300, :300]
    )
    new = by_distances.transform(distances[300:, :300])
    assert np.allclose(new, by_points.transform(X[300:]), atol=1e-6)


def test_rows_of_a_kernel(roll, kernel):
    X = roll[0][:300]
    by_points = nrdr.KernelPCA(gamma=0.02).fit(X[:250])
    by_kernel = nrdr.KernelPCA(kernel="precomputed").fit(kernel[:250, :250])
    new = by_kernel.transform(kernel[250:, :250])
    assert np.allclose(new, by_points.transform(X[250:]), atol=1e-6)
    own = nrdr.Precomputed(trivial=np.ones(250)).fit(kernel[:250, :250])
    assert np.array_equal(own.transform(kernel[250:, :250]), new)


def test_a_graph_has_no_new_points(roll):
    graph = joined(roll[0][:200])
    fitted = nrdr.LaplacianEigenmaps(affinity="precomputed").fit(graph)
    for given in (graph, graph.toarray()):
        with pytest.raises(AttributeError, match="no attribute 'transform'") as raised:
            fitted.transform(given)
        assert "nobody knows the neighbours" in str(raised.value.__cause__)
    for unfitted in ("precomputed", "rbf"):
        assert not hasattr(nrdr.LaplacianEigenmaps(affinity=unfitted), "transform")


def joined(X):
    graph = kneighbors_graph(X, 10)
    return graph.maximum(graph.T)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name_of)
def test_pickle_keeps_the_model(estimator, roll):
    X = roll[0]
    fitted = clone(estimator).fit(X[:300])
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.transform(X[300:350]), fitted.transform(X[300:350]))
    assert again.report_ == fitted.report_


def test_wrong_columns_are_both_named(roll):
    fitted = nrdr.LTSA().fit(roll[0][:200])
    with pytest.raises(ValueError, match=r"2 features.*3 features"):
        fitted.transform(roll[0][:5, :2])
