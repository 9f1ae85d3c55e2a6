"""Whatever comes in: types, orders, frames, graphs, distances."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import coo_array, csc_matrix, csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsTransformer, kneighbors_graph
from sklearn.pipeline import make_pipeline

import nrdr


@pytest.fixture(scope="module")
def X(roll):
    return roll[0][:300]


@pytest.fixture(scope="module")
def fitted(X):
    return nrdr.LaplacianEigenmaps().fit(X)


@pytest.mark.parametrize(
    "make",
    [
        np.asfortranarray,
        lambda X: np.repeat(X, 2, axis=1)[:, ::2],
        lambda X: X[::-1][::-1],
        lambda X: X.tolist(),
        lambda X: pd.DataFrame(X, columns=["a", "b", "c"]),
        lambda X: pl.DataFrame(X, schema=["a", "b", "c"]),
    ],
    ids=["fortran", "strided", "reversed", "list", "pandas", "polars"],
)
def test_same_bits_however_it_comes(make, X, fitted):
    assert np.array_equal(nrdr.LaplacianEigenmaps().fit_transform(make(X)), fitted.embedding_)


@pytest.mark.parametrize("order", ["C", "F"])
def test_float32(order, X):
    single = np.asarray(X, dtype=np.float32, order=order)
    fitted = nrdr.LTSA().fit(single)
    double = nrdr.LTSA().fit(single.astype(np.float64))
    assert fitted.embedding_.dtype == fitted.transform(single[:5]).dtype == np.float32
    assert np.array_equal(fitted.embedding_, double.embedding_.astype(np.float32))
    new = single[:5] + 0.1
    assert np.array_equal(fitted.transform(new), double.transform(new).astype(np.float32))


def test_read_only(X, fitted):
    X = X.copy()
    X.flags.writeable = False
    assert np.array_equal(nrdr.LaplacianEigenmaps().fit_transform(X), fitted.embedding_)


def test_frames_come_out(X):
    frame = pd.DataFrame(X, columns=["a", "b", "c"], index=np.arange(len(X)) + 7)
    estimator = nrdr.Isomap()
    names = ["isomap0", "isomap1"]
    out = estimator.set_output(transform="pandas").fit_transform(frame)
    assert list(out.columns) == names and list(out.index) == list(frame.index)
    assert list(estimator.get_feature_names_out()) == names
    assert list(estimator.feature_names_in_) == ["a", "b", "c"]
    out = estimator.set_output(transform="polars").transform(frame)
    assert isinstance(out, pl.DataFrame) and out.columns == names


@pytest.mark.parametrize("kind", [csr_array, csc_matrix, coo_array])
def test_graphs(kind, X, fitted):
    graph = kneighbors_graph(X, 10)
    graph = kind(graph.maximum(graph.T))
    given = nrdr.LaplacianEigenmaps(affinity="precomputed").fit(graph)
    dense = nrdr.LaplacianEigenmaps(affinity="precomputed").fit(graph.toarray())
    assert np.array_equal(given.embedding_, fitted.embedding_)
    assert np.array_equal(dense.embedding_, fitted.embedding_)


def test_neighbours_of_a_pipeline(X, fitted):
    # A graph that names each edge from one end, with the points themselves in it.
    pipeline = make_pipeline(
        KNeighborsTransformer(n_neighbors=10),
        nrdr.LaplacianEigenmaps(affinity="precomputed_nearest_neighbors"),
    )
    assert np.array_equal(pipeline.fit_transform(X), fitted.embedding_)


def test_distances(X, fitted):
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    given = nrdr.LaplacianEigenmaps(affinity="precomputed_nearest_neighbors").fit(distances)
    assert np.abs(given.embedding_ - fitted.embedding_).max() < 1e-6
    by_points = nrdr.Isomap().fit_transform(X)
    assert (
        np.abs(nrdr.Isomap(metric="precomputed").fit_transform(distances) - by_points).max() < 1e-6
    )


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize(
    ("nearer", "estimator"),
    [
        ("affinity", nrdr.LaplacianEigenmaps(affinity="precomputed_nearest_neighbors")),
        ("metric", nrdr.Isomap(metric="precomputed")),
    ],
    ids=["LaplacianEigenmaps", "Isomap"],
)
def test_of_more_neighbours_the_nearest_are_used(nearer, estimator, symmetric, X):
    graph = kneighbors_graph(X, 30, mode="distance")
    graph = graph.maximum(graph.T) if symmetric else graph
    by_points = clone(estimator).set_params(**{nearer: type(estimator)().get_params()[nearer]})
    assert np.abs(clone(estimator).fit_transform(graph) - by_points.fit_transform(X)).max() < 1e-6
    more = clone(estimator).set_params(n_neighbors=30).fit_transform(graph)
    assert np.abs(more - by_points.set_params(n_neighbors=30).fit_transform(X)).max() < 1e-6


def test_lengths_that_differ_from_both_ends(X):
    graph = kneighbors_graph(X, 10, mode="distance")
    graph = graph.maximum(graph.T).tolil()
    i, j = (int(at[5]) for at in graph.nonzero())
    isomap = nrdr.Isomap(metric="precomputed")
    graph[i, j] *= 1 + 1e-9
    isomap.fit(graph)
    graph[i, j] *= 2
    with pytest.raises(ValueError, match=r"the matrix is not symmetric: entry \("):
        isomap.fit(graph)


def test_the_callers_matrix_stays_as_it_is(X):
    graph = kneighbors_graph(X, 10)
    graph = graph.maximum(graph.T).tocsr()
    # Every entry twice, a half each.
    twice = csr_array((np.repeat(graph.data / 2, 2), np.repeat(graph.indices, 2), 2 * graph.indptr))
    given = twice.data.copy(), twice.indices.copy(), twice.indptr.copy()
    fitted = nrdr.LaplacianEigenmaps(affinity="precomputed").fit(twice)
    assert np.allclose(fitted.embedding_, nrdr.LaplacianEigenmaps().fit_transform(X), atol=1e-6)
    for before, after in zip(given, (twice.data, twice.indices, twice.indptr)):
        assert np.array_equal(before, after)


def test_sparse_matrix_of_ones_own(X):
    graph = kneighbors_graph(X, 10)
    graph = graph.maximum(graph.T)
    root = np.sqrt(np.asarray(graph.sum(axis=1)).ravel())
    walk = graph.multiply(1 / np.outer(root, root)).tocsr()
    own = nrdr.Precomputed(scale=1 / root, trivial=root, bound=1.0).fit(walk)
    ours = nrdr.LaplacianEigenmaps().fit(X)
    assert np.abs(own.embedding_ - ours.embedding_).max() < 1e-6


def test_attributes(fitted, X):
    n = len(X)
    assert fitted.embedding_.shape == (n, 2) and fitted.embedding_.flags.c_contiguous
    assert np.allclose(np.linalg.norm(fitted.embedding_, axis=0), 1)
    for name in ("eigenvalues_", "redundancy_", "alpha_", "residuals_", "lengths_"):
        assert getattr(fitted, name).shape == (2,)
    assert np.isnan(fitted.alpha_[0]) and 0 < fitted.alpha_[1] < 1
    assert fitted.redundancy_[0] == 1 and fitted.residuals_.max() < 1e-6
    assert isinstance(fitted.n_iter_, int) and fitted.report_["method"] == "lem"


def test_redundancy_that_cannot_be_measured():
    # The first coordinate is the same everywhere.
    flat = nrdr.Precomputed(3, strategy="orthogonal").fit(np.ones((50, 50)) + np.eye(50))
    assert np.array_equal(flat.redundancy_, [1, np.nan, np.nan], equal_nan=True)
    assert flat.report_["verdict"] == ("Redundancy cannot be measured: coordinate 1 is constant.")
    assert "nan" not in flat._repr_html_()
    few = nrdr.Precomputed(3, strategy="orthogonal").fit(np.diag([4.0, 3, 2, 1]))
    assert "there are 4 different points, 5 are needed" in few.report_["verdict"]
    assert "one coordinate" in nrdr.Precomputed(1).fit(np.eye(9)).report_["verdict"]


def test_nothing_before_fit(X):
    estimator = nrdr.LaplacianEigenmaps()
    with pytest.raises(NotFittedError):
        estimator.transform(X)
    assert not hasattr(estimator, "redundancy_") and not hasattr(estimator, "report_")


def test_number_of_coordinates_found(X):
    assert nrdr.LTSA("auto").fit(X).embedding_.shape[1] in range(1, 11)


def test_clone_and_parameters():
    estimator = nrdr.KernelPCA(3, kernel="poly", degree=2, alpha=0.2, n_jobs=-1)
    assert clone(estimator).get_params() == estimator.get_params()
    assert repr(estimator) == (
        "KernelPCA(alpha=0.2, degree=2, kernel='poly', n_components=3, n_jobs=-1)"
    )


def test_any_number_of_threads(X, fitted):
    for n_jobs in (1, 2, -1, -2):
        ours = nrdr.LaplacianEigenmaps(n_jobs=n_jobs).fit_transform(X)
        assert np.array_equal(ours, fitted.embedding_)


def test_random_state(X):
    drawn = nrdr.LaplacianEigenmaps(random_state=np.random.RandomState(0)).fit(X)
    assert np.allclose(
        drawn.redundancy_, nrdr.LaplacianEigenmaps(random_state=None).fit(X).redundancy_, atol=0.05
    )


def test_arrays_that_are_not_aligned(roll):
    X = np.ascontiguousarray(roll[0][:300])
    moved = np.frombuffer(b"x" + X.tobytes(), offset=1, dtype=X.dtype).reshape(X.shape)
    assert not moved.flags.aligned
    maps = nrdr.LaplacianEigenmaps().fit(moved)
    assert np.array_equal(maps.embedding_, nrdr.LaplacianEigenmaps().fit(X).embedding_)
    assert np.array_equal(maps.transform(moved), maps.transform(X))
