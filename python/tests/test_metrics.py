"""Radii, metrics, sparse points, kernels and ways back: beyond the neighbours of the core."""

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix
from sklearn import decomposition, manifold
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.neighbors import KNeighborsTransformer, kneighbors_graph, radius_neighbors_graph
from sklearn.pipeline import make_pipeline

import nrdr

K = 8


@pytest.fixture(scope="module")
def X(roll):
    return roll[0][:250]


@pytest.fixture(scope="module")
def new(roll):
    return roll[0][250:300]


def original(kind, **own):
    return kind(strategy="orthogonal", **{"n_neighbors": K, **own})


def scaled(fitted, coordinates):
    return coordinates * fitted.lengths_


@pytest.mark.parametrize(
    "own",
    [
        {"metric": "manhattan"},
        {"metric": "minkowski", "p": 3},
        {"metric": lambda a, b: np.abs(a - b).max()},
        {"radius": 7.0},
        {"radius": 12.0, "metric": "chebyshev"},
    ],
    ids=["manhattan", "minkowski", "callable", "radius", "both"],
)
def test_isomap_by_other_neighbours(own, X, new):
    # Enough neighbours for a graph in one piece: how pieces are joined is not the same.
    ours = original(nrdr.Isomap, n_neighbors=12, **own).fit(X)
    k = None if "radius" in own else 12
    theirs = manifold.Isomap(n_neighbors=k, n_components=2, **own).fit(X)
    assert np.allclose(np.abs(scaled(ours, ours.embedding_)), np.abs(theirs.embedding_), atol=1e-4)
    assert np.allclose(ours.dist_matrix_, theirs.dist_matrix_)
    assert np.isclose(ours.reconstruction_error(), theirs.reconstruction_error(), rtol=1e-6)
    assert np.allclose(
        np.abs(scaled(ours, ours.transform(new))), np.abs(theirs.transform(new)), atol=1e-4
    )
    assert np.allclose(ours.transform(X), ours.embedding_, atol=1e-7)


def test_radius_makes_the_graph_of_a_radius(X):
    graph = radius_neighbors_graph(X, 9.0)
    given = original(nrdr.LaplacianEigenmaps, affinity="precomputed").fit(graph)
    ours = original(nrdr.LaplacianEigenmaps, radius=9.0).fit(X)
    assert np.abs(ours.embedding_ - given.embedding_).max() < 1e-6
    lengths = radius_neighbors_graph(X, 9.0, mode="distance").toarray()
    lengths[lengths == 0] = 100.0
    np.fill_diagonal(lengths, 0)
    by_distances = original(
        nrdr.LaplacianEigenmaps, affinity="precomputed_nearest_neighbors", radius=9.0
    ).fit(lengths)
    assert np.abs(by_distances.embedding_ - given.embedding_).max() < 1e-6


@pytest.mark.parametrize("kind", [nrdr.LaplacianEigenmaps, nrdr.DiffusionMaps, nrdr.Isomap])
@pytest.mark.parametrize("container", [csr_matrix, csr_array])
def test_sparse_points(kind, container, digits):
    # No two as far from a third: the core and scikit-learn break ties in their own ways.
    X = digits[0] * (1 + 0.1 * np.random.default_rng(0).random(digits[0].shape))
    X, new = X[:200], X[200:220]
    dense = original(kind, metric="l1").fit(X)
    sparse = original(kind, metric="l1").fit(container(X))
    assert np.abs(dense.embedding_ - sparse.embedding_).max() < 1e-6
    assert np.abs(dense.transform(new) - sparse.transform(container(new))).max() < 1e-6
    assert not hasattr(sparse, "inverse_transform")


def test_sparse_points_of_a_kernel(digits):
    X, new = digits[0][:150], digits[0][150:170]
    for kernel in ("rbf", "linear", "cosine", "poly"):
        dense = nrdr.KernelPCA(kernel=kernel, strategy="orthogonal", degree=2).fit(X)
        sparse = nrdr.KernelPCA(kernel=kernel, strategy="orthogonal", degree=2).fit(csr_matrix(X))
        assert np.allclose(dense.embedding_, sparse.embedding_, atol=1e-6), kernel
        assert np.allclose(dense.transform(new), sparse.transform(csr_matrix(new)), atol=1e-6)
        assert np.isclose(dense.gamma_, sparse.gamma_) or kernel in ("linear", "cosine")


@pytest.mark.parametrize("strategy", ["orthogonal", "priced"])
def test_new_points_behind_a_search(strategy, X, new):
    for ours in (
        nrdr.Isomap(metric="precomputed", strategy=strategy),
        nrdr.DiffusionMaps(affinity="precomputed_nearest_neighbors", strategy=strategy),
    ):
        pipeline = make_pipeline(KNeighborsTransformer(n_neighbors=10), ours).fit(X)
        points = type(ours)(strategy=strategy).fit(X)
        assert np.allclose(pipeline.transform(new), points.transform(new), atol=1e-5)
        assert np.allclose(pipeline.transform(X), ours.embedding_, atol=1e-7)


def test_a_new_point_without_neighbours(X):
    near = nrdr.Isomap(radius=9.0).fit(X)
    with pytest.raises(ValueError, match="new point 1 has no neighbour within radius = 9"):
        near.transform(np.vstack([X[:1], [[1e3, 0, 0]]]))
    with pytest.raises(ValueError, match="radius = -1 is out of range"):
        nrdr.Isomap(radius=-1).fit(X)


def test_components_are_joined_by_the_metric(X):
    apart = np.vstack([X[:60], X[:50] + np.array([1000, 0, 0])])
    joined = original(nrdr.Isomap, metric="manhattan")
    with pytest.warns(
        UserWarning, match="had 2 components \\(sizes 60, 50\\), joined by 1"
    ) as told:
        joined.fit(apart)
    assert told[0].filename == __file__
    assert "2 components" in joined.report_["warnings"][0]
    gap = np.abs(apart[:60, None] - apart[60:]).sum(axis=2).min()
    assert np.isclose(joined.dist_matrix_[:60, 60:].min(), gap)
    for components, there in (("largest", 60), ("error", None)):
        other = original(nrdr.Isomap, metric="manhattan", components=components)
        if there is None:
            with pytest.raises(ValueError, match="2 components"):
                other.fit(apart)
        else:
            with pytest.warns(UserWarning, match="left out"):
                other.fit(apart)
            assert (~np.isnan(other.embedding_[:, 0])).sum() == there


def test_affinities_of_all_pairs(X):
    W = rbf_kernel(X, gamma=0.01)
    ours = original(nrdr.LaplacianEigenmaps, affinity="rbf", gamma=0.01).fit(X)
    assert np.array_equal(ours.affinity_matrix_, W)
    theirs = manifold.SpectralEmbedding(affinity="rbf", gamma=0.01, random_state=0).fit(X)
    expected = theirs.embedding_ / np.linalg.norm(theirs.embedding_, axis=0)
    assert np.allclose(np.abs(ours.embedding_), np.abs(expected), atol=1e-5)
    by_callable = original(nrdr.LaplacianEigenmaps, affinity=lambda X: rbf_kernel(X, gamma=0.01))
    assert np.array_equal(by_callable.fit(X).embedding_, ours.embedding_)
    with pytest.raises(ValueError, match="an affinity for each pair"):
        nrdr.LaplacianEigenmaps(affinity=lambda X: X).fit(X)


def test_directed_graphs(X):
    graph = kneighbors_graph(X, K)
    with pytest.warns(UserWarning, match="not symmetric: the mean of both directions"):
        ours = original(nrdr.LaplacianEigenmaps, affinity="precomputed").fit(graph)
    mean = original(nrdr.LaplacianEigenmaps, affinity="precomputed").fit(0.5 * (graph + graph.T))
    assert np.array_equal(ours.embedding_, mean.embedding_)


def histogram(a, b, power=1.0):
    return (np.minimum(a, b) ** power).sum()


@pytest.mark.parametrize(
    "own",
    [
        {"kernel": "laplacian", "gamma": 0.01},
        {"kernel": "chi2", "gamma": 0.01},
        {"kernel": "additive_chi2"},
        {"kernel": histogram, "kernel_params": {"power": 0.5}},
    ],
    ids=["laplacian", "chi2", "additive_chi2", "callable"],
)
def test_kernels(own, digits):
    X, new = digits[0][:120], digits[0][120:130]
    ours = nrdr.KernelPCA(3, strategy="orthogonal", **own).fit(X)
    # scikit-learn's own takes the pairwise kernels as matrices only.
    params = {"metric": own["kernel"], **own.get("kernel_params", {})}
    params |= {"gamma": own["gamma"]} if "gamma" in own else {}
    theirs = decomposition.KernelPCA(3, kernel="precomputed", eigen_solver="dense")
    theirs.fit(pairwise_kernels(X, **params))
    expected = theirs.transform(pairwise_kernels(new, X, **params))
    assert np.allclose(ours.eigenvalues_, theirs.eigenvalues_)
    assert np.allclose(np.abs(scaled(ours, ours.transform(new))), np.abs(expected), atol=1e-6)
    wrong = np.abs(ours.inverse_transform(ours.transform(new)) - new).mean()
    assert wrong < np.abs(X.mean(axis=0) - new).mean()
    assert not hasattr(ours, "dual_coef_")


def test_all_coordinates_of_a_kernel(X):
    assert nrdr.KernelPCA(None, kernel="linear", strategy="orthogonal").fit(X).embedding_.shape == (
        250,
        3,
    )
    theirs = decomposition.KernelPCA(None, kernel="poly", degree=2, gamma=0.01).fit(X)
    ours = nrdr.KernelPCA(None, kernel="poly", degree=2, gamma=0.01, strategy="orthogonal").fit(X)
    assert np.allclose(ours.eigenvalues_, theirs.eigenvalues_)


def test_the_way_back_of_a_kernel(X):
    ours = nrdr.KernelPCA(5, gamma=0.02, strategy="orthogonal", ridge=0.1).fit(X)
    theirs = decomposition.KernelPCA(
        5, kernel="rbf", gamma=0.02, alpha=0.1, fit_inverse_transform=True, eigen_solver="dense"
    ).fit(X)
    back = theirs.inverse_transform(theirs.transform(X))
    assert np.allclose(ours.inverse_transform(ours.embedding_), back, atol=1e-5)
    assert ours.dual_coef_.shape == X.shape


@pytest.mark.parametrize(
    ("estimator", "most"),
    [
        (nrdr.LTSA(n_neighbors=12), 0.02),
        (nrdr.Isomap(n_neighbors=12, metric="manhattan", strategy="orthogonal"), 0.05),
        (nrdr.LaplacianEigenmaps(n_neighbors=12), 0.1),
    ],
    ids=["LTSA", "Isomap", "LaplacianEigenmaps"],
)
def test_the_way_back(estimator, most):
    X, _ = nrdr.datasets.make_swiss_roll(1200, height=15, random_state=5)
    fitted = estimator.fit(X[:1000])
    back = fitted.inverse_transform(fitted.transform(X[1000:]))
    assert ((back - X[1000:]) ** 2).sum() < most * ((X[1000:] - X.mean(axis=0)) ** 2).sum()
    with pytest.raises(ValueError, match="Y has 1 columns: it must have 2"):
        fitted.inverse_transform(back[:, :1])


def test_what_has_no_way_back(X, kernel):
    for estimator, given in (
        (nrdr.KernelPCA(kernel="precomputed"), kernel),
        (nrdr.Precomputed(), kernel),
        (nrdr.Isomap(metric="precomputed"), kneighbors_graph(X, K, mode="distance")),
    ):
        assert not hasattr(estimator, "inverse_transform")
        assert not hasattr(estimator.fit(given), "inverse_transform")


@pytest.mark.parametrize(
    ("kind", "method"), [(nrdr.LocallyLinearEmbedding, "standard"), (nrdr.LTSA, "ltsa")]
)
def test_sums_of_eigenvalues(kind, method, X):
    ours = original(kind, n_neighbors=12, **({"local_dim": 2} if kind is nrdr.LTSA else {})).fit(X)
    theirs = manifold.LocallyLinearEmbedding(n_neighbors=12, method=method, eigen_solver="dense")
    assert np.isclose(ours.reconstruction_error_, theirs.fit(X).reconstruction_error_, rtol=1e-6)


def test_reconstruction_error_of_points(X):
    isomap = original(nrdr.Isomap, n_neighbors=12).fit(X).reconstruction_error()
    expected = manifold.Isomap(n_neighbors=12).fit(X).reconstruction_error()
    assert np.isclose(isomap, expected, rtol=1e-6)


@pytest.mark.parametrize("word", ["arpack", "lobpcg", "amg", "randomized"])
def test_solvers_of_scikit_learn(word, X):
    told = original(nrdr.LaplacianEigenmaps, eigen_solver=word).fit(X)
    assert np.array_equal(told.embedding_, original(nrdr.LaplacianEigenmaps).fit(X).embedding_)
    assert any(f"eigen_solver='{word}'" in note for note in told.report_["notes"])
