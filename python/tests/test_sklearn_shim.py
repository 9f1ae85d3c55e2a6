"""What `nrdr.sklearn` computes is what scikit-learn does, number by number."""

import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn import decomposition, manifold
from sklearn.base import clone

import nrdr
from nrdr import sklearn as ours

PAIRS = [
    (ours.Isomap, manifold.Isomap, {"n_neighbors": 9}),
    (ours.Isomap, manifold.Isomap, {"n_neighbors": 9, "metric": "cosine"}),
    (ours.KernelPCA, decomposition.KernelPCA, {"n_components": 4}),
    (ours.KernelPCA, decomposition.KernelPCA, {"n_components": 3, "kernel": "rbf", "gamma": 1e-3}),
    (ours.LocallyLinearEmbedding, manifold.LocallyLinearEmbedding, {"n_neighbors": 12}),
    (
        ours.LocallyLinearEmbedding,
        manifold.LocallyLinearEmbedding,
        {"n_neighbors": 12, "method": "ltsa"},
    ),
    (ours.SpectralEmbedding, manifold.SpectralEmbedding, {"n_neighbors": 15}),
    (
        ours.SpectralEmbedding,
        manifold.SpectralEmbedding,
        {"affinity": "rbf", "gamma": 1e-3, "n_components": 3},
    ),
]


@pytest.mark.parametrize(("kind", "theirs", "own"), PAIRS)
def test_same_numbers(kind, theirs, own, digits):
    X = digits[0][:300] + 1e-3 * np.random.default_rng(0).normal(size=(300, 64))
    solver = {} if theirs is manifold.SpectralEmbedding else {"eigen_solver": "dense"}
    expected = theirs(**own, **solver).fit_transform(X)
    found = kind(**own).fit_transform(X)
    assert found.shape == expected.shape
    # The sign of a coordinate is no more than a convention, which LLE there has none of.
    assert np.allclose(np.abs(found), np.abs(expected), rtol=1e-3, atol=1e-4 * expected.std())


@pytest.mark.parametrize(
    "kind", ["Isomap", "KernelPCA", "LocallyLinearEmbedding", "SpectralEmbedding"]
)
def test_same_parameters(kind):
    theirs = getattr(decomposition if kind == "KernelPCA" else manifold, kind)
    expected = inspect.signature(theirs).parameters
    found = dict(inspect.signature(getattr(ours, kind)).parameters)
    assert [found.pop("strategy").default, found.pop("strategy_params").default] == [
        "orthogonal",
        None,
    ]
    assert {n: (p.default, p.kind) for n, p in found.items()} == {
        n: (p.default, p.kind) for n, p in expected.items()
    }
    for name in (*found, "strategy", "strategy_params"):
        assert f"\n    {name} : " in getattr(ours, kind).__doc__


@pytest.mark.parametrize(
    "estimator",
    [
        ours.Isomap(n_neighbors=10),
        ours.KernelPCA(2, kernel="rbf", gamma=0.01),
        ours.LocallyLinearEmbedding(n_neighbors=10),
        ours.SpectralEmbedding(n_neighbors=10),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_another_strategy(estimator, roll):
    X = roll[0][:300]
    plain = clone(estimator).fit(X)
    priced = clone(estimator).set_params(strategy="priced", strategy_params={"mu": 1.0}).fit(X)
    assert priced.report_["strategy"] == "priced" and plain.report_["strategy"] == "orthogonal"
    assert priced.redundancy_[1] > plain.redundancy_[1] - 0.05
    with pytest.raises(TypeError):
        clone(estimator).set_params(strategy_params={"no_such_thing": 1}).fit(X)


def test_functions(digits):
    W = np.exp(-((digits[0][:80, None] - digits[0][:80]) ** 2).sum(axis=2) / 1e3)
    for own in ({}, {"norm_laplacian": False}, {"drop_first": False}):
        expected = manifold.spectral_embedding(W, n_components=3, random_state=0, **own)
        assert np.allclose(ours.spectral_embedding(W, n_components=3, **own), expected, atol=1e-6)
    found, error = ours.locally_linear_embedding(digits[0][:80], n_neighbors=9, n_components=2)
    expected, theirs = manifold.locally_linear_embedding(
        digits[0][:80], n_neighbors=9, n_components=2, eigen_solver="dense"
    )
    assert np.allclose(np.abs(found), np.abs(expected), atol=1e-5)
    assert np.isclose(error, theirs, rtol=1e-4)


@pytest.mark.parametrize(
    "estimator",
    [
        ours.Isomap(n_neighbors=10),
        ours.KernelPCA(2, kernel="rbf", gamma=0.01),
        ours.LocallyLinearEmbedding(n_neighbors=10),
        ours.SpectralEmbedding(n_neighbors=10),
        nrdr.Isomap(metric="manhattan"),
        nrdr.DiffusionMaps(radius=6.0),
        nrdr.LaplacianEigenmaps(affinity="rbf"),
        nrdr.KernelPCA(kernel="laplacian", gamma=0.1),
    ],
    ids=repr,
)
def test_frames(estimator, roll):
    """Columns have names, a graph or a kernel that is made of them has none."""
    X, new = roll[0][:300], roll[0][300:310]
    names = ["x", "y", "z"]
    plain = clone(estimator).fit(X)
    framed = clone(estimator).fit(pd.DataFrame(X, columns=names))
    coordinates = "embedding_" if hasattr(plain, "embedding_") else "eigenvectors_"
    # The seed of the shim is another each time, as in scikit-learn.
    assert np.allclose(getattr(framed, coordinates), getattr(plain, coordinates), atol=1e-7)
    assert framed.feature_names_in_.tolist() == names
    if hasattr(plain, "transform"):
        table = pd.DataFrame(new, columns=names)
        assert np.allclose(framed.transform(table), plain.transform(new), atol=1e-7)
    if hasattr(estimator, "plan"):
        assert estimator.plan(pd.DataFrame(X, columns=names))["points"] == 300
