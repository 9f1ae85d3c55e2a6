"""The original form of each method spans what scikit-learn's own spans."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn import decomposition, manifold
from sklearn.neighbors import kneighbors_graph

import nrdr

K = 12


def points(name, request, n=400):
    """Points no two of which are equally far from a third: neighbours are no convention."""
    X = request.getfixturevalue(name)[0][:n]
    return X + 1e-3 * X.std() * np.random.default_rng(0).normal(size=X.shape)


def angle(ours, theirs):
    """The largest principal angle of two embeddings, constants left out."""
    return subspace_angles(ours - ours.mean(axis=0), theirs - theirs.mean(axis=0)).max()


def locally_linear(method, **own):
    return manifold.LocallyLinearEmbedding(
        n_neighbors=own.pop("k", K), n_components=2, method=method, eigen_solver="dense", **own
    )


def original(estimator, **own):
    return estimator(n_components=2, strategy="orthogonal", **{"n_neighbors": K, **own})


@pytest.mark.parametrize("data", ["roll", "digits"])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (original(nrdr.LocallyLinearEmbedding), locally_linear("standard")),
        (original(nrdr.LTSA, local_dim=2), locally_linear("ltsa")),
        (original(nrdr.Isomap), manifold.Isomap(n_neighbors=K, n_components=2)),
        (
            original(nrdr.KernelPCA, gamma=0.003),
            decomposition.KernelPCA(n_components=2, kernel="rbf", gamma=0.003),
        ),
        (
            original(nrdr.KernelPCA, kernel="poly", gamma=0.01, degree=2),
            decomposition.KernelPCA(
                n_components=2, kernel="poly", gamma=0.01, degree=2, eigen_solver="dense"
            ),
        ),
    ],
    ids=["LLE", "LTSA", "Isomap", "KernelPCA", "KernelPCA-poly"],
)
def test_same_subspace(ours, theirs, data, request):
    X = points(data, request)
    assert angle(ours.fit_transform(X), theirs.fit_transform(X)) < 1e-4


def test_modified_lle(request):
    # Of the digits some neighbourhoods are so thin that scikit-learn keeps less of them than the
    # paper does.
    X = points("roll", request)
    ours = original(nrdr.ModifiedLLE, local_dim=2).fit_transform(X)
    assert angle(ours, locally_linear("modified").fit_transform(X)) < 1e-4


@pytest.mark.parametrize(("data", "n", "d"), [("roll", 200, 2), ("digits", 400, 4)])
def test_hessian_eigenmaps(data, n, d, request):
    # scikit-learn's Hessians are those of the paper only where they fill the neighbourhood. So few
    # neighbours need few points, or the eigenvalues are lost in rounding.
    k = 1 + d + d * (d + 1) // 2
    X = points(data, request, n)
    ours = nrdr.HessianEigenmaps(d, n_neighbors=k, strategy="orthogonal", local_dim=d)
    theirs = locally_linear("hessian", k=k).set_params(n_components=d)
    assert angle(ours.fit_transform(X), theirs.fit_transform(X)) < 1e-4


@pytest.mark.parametrize("data", ["roll", "digits"])
def test_laplacian_eigenmaps(data, request):
    # scikit-learn averages the directed graph, nrdr joins both directions: give it the joined one.
    X = points(data, request)
    graph = kneighbors_graph(X, K)
    graph = graph.maximum(graph.T)
    theirs = manifold.SpectralEmbedding(
        n_components=2, affinity="precomputed", eigen_solver="arpack"
    ).fit_transform(graph)
    ours = original(nrdr.LaplacianEigenmaps).fit(X).embedding_
    given = original(nrdr.LaplacianEigenmaps, affinity="precomputed").fit(graph).embedding_
    assert subspace_angles(ours, theirs).max() < 1e-4
    assert subspace_angles(given, theirs).max() < 1e-4


@pytest.mark.parametrize("data", ["roll", "digits"])
def test_diffusion_maps(data, request):
    # There are none in scikit-learn: against the definition.
    X = points(data, request)
    lengths = kneighbors_graph(X, K, mode="distance")
    lengths = lengths.maximum(lengths.T).toarray()
    edges = lengths[lengths > 0]
    W = np.where(lengths > 0, np.exp(-(lengths**2) / np.sort(edges)[len(edges) // 2] ** 2), 0.0)
    np.fill_diagonal(W, 1.0)
    q = W.sum(axis=1)
    W /= np.outer(q, q)
    d = np.sqrt(W.sum(axis=1))
    values, vectors = np.linalg.eigh(W / np.outer(d, d))
    theirs = vectors[:, -3:-1] / d[:, None]
    ours = original(nrdr.DiffusionMaps).fit(X)
    assert subspace_angles(ours.embedding_, theirs).max() < 1e-4
    assert np.allclose(ours.eigenvalues_, values[-2:-4:-1], atol=1e-7)


def test_lengths_give_the_traditional_scaling(roll):
    X = roll[0]
    ours = original(nrdr.Isomap).fit(X)
    theirs = manifold.Isomap(n_neighbors=K, n_components=2).fit_transform(X)
    assert np.allclose(np.abs(ours.embedding_ * ours.lengths_), np.abs(theirs), atol=1e-3)


def test_precomputed_kernel(roll):
    X = roll[0][:300]
    kernel = np.exp(-0.003 * ((X[:, None] - X) ** 2).sum(axis=2))
    fitted = original(nrdr.KernelPCA, kernel="precomputed").fit(kernel)
    ours = fitted.embedding_
    theirs = decomposition.KernelPCA(n_components=2, kernel="precomputed").fit_transform(kernel)
    assert angle(ours, theirs) < 1e-4
    assert np.allclose(np.abs(ours * fitted.lengths_), np.abs(theirs), atol=1e-6)
    assert fitted.report_["lengths"] == fitted.lengths_.tolist()
    ones = np.ones(300)
    assert np.array_equal(original(nrdr.Precomputed, trivial=ones).fit_transform(kernel), ours)


def degrees(ours, theirs):
    return np.degrees(angle(ours, theirs))


def test_points_have_other_laplacian_eigenmaps(request):
    # scikit-learn counts a point among its own neighbours, and an edge that one end names as half.
    X = points("roll", request)
    theirs = manifold.SpectralEmbedding(
        n_components=2, affinity="nearest_neighbors", n_neighbors=K, eigen_solver="arpack"
    ).fit_transform(X)
    ours = original(nrdr.LaplacianEigenmaps).fit_transform(X)
    assert 0.1 < np.degrees(subspace_angles(ours, theirs).max()) < 30


@pytest.mark.parametrize("k", [12, 20])
def test_larger_neighbourhoods_have_other_hessians(k, request):
    X = points("roll", request)
    ours = original(nrdr.HessianEigenmaps, n_neighbors=k, local_dim=2).fit_transform(X)
    assert degrees(ours, locally_linear("hessian", k=k).fit_transform(X)) > 0.1


def test_a_point_that_is_nobodys_neighbour(request):
    X = points("roll", request)
    X = np.vstack([X, X.max(axis=0) + 0.3 * np.ptp(X, axis=0).max()])
    theirs = locally_linear("ltsa").fit_transform(X)
    ours = original(nrdr.LTSA, local_dim=2).fit_transform(X)
    # scikit-learn's has a coordinate that is that point alone.
    assert (theirs[-1] ** 2 / (theirs**2).sum(axis=0)).max() > 0.99
    assert (ours[-1] ** 2).max() < 0.5
    same = original(nrdr.LocallyLinearEmbedding).fit_transform(X)
    assert angle(same, locally_linear("standard").fit_transform(X)) < 1e-4


@pytest.mark.filterwarnings("ignore")
def test_graphs_that_fell_apart(request):
    X = points("roll", request)
    X[200:, 0] += 10 * np.ptp(X)
    ours = original(nrdr.LocallyLinearEmbedding).fit_transform(X)
    assert degrees(ours, locally_linear("standard").fit_transform(X)) > 0.01
    isomap = manifold.Isomap(n_neighbors=K, n_components=2).fit_transform(X)
    assert angle(original(nrdr.Isomap).fit_transform(X), isomap) < 1e-4
