"""New points that are Dask collections, on workers that are processes of their own."""

import pickle

import numpy as np
import pandas as pd
import pytest

import nrdr

da = pytest.importorskip("dask.array", reason="dask is not installed: pip install nrdr[dask]")
dd = pytest.importorskip("dask.dataframe", reason="dask is not installed: pip install nrdr[dask]")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Two workers."""
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    folder = tmp_path_factory.mktemp("workers")
    with (
        distributed.LocalCluster(**options, processes=True, local_directory=folder) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def points():
    return nrdr.datasets.make_swiss_roll(900, height=21, random_state=1)[0]


@pytest.fixture(scope="module")
def maps(points):
    return nrdr.LaplacianEigenmaps(3).fit(points[:400])


@pytest.fixture(scope="module")
def named(points):
    return nrdr.Isomap(2).fit(pd.DataFrame(points[:300], columns=list("xyz")))


def test_arrays_have_the_bits_of_the_estimator(client, maps, points):
    wanted = maps.transform(points)
    for chunks in [(300, 3), (250, 2), (900, 1), (7, 3)]:
        found = nrdr.dask.transform(maps, da.from_array(points, chunks=chunks))
        assert (found.shape, found.dtype) == ((900, 3), np.float64)
        assert found.chunks[1] == (3,)
        assert np.array_equal(client.compute(found).result(), wanted)


def test_work_is_done_by_both_workers(client, maps, points):
    found = nrdr.dask.transform(maps, da.from_array(points, chunks=(50, 3)))
    done = client.persist(found)
    distributed.wait(done)
    there = [name for names in client.who_has(done).values() for name in names]
    assert len(set(there)) == 2


def test_a_file_is_as_good_and_need_not_stay(client, maps, points, tmp_path):
    path = tmp_path / "roll.model"
    maps.save(path)
    found = nrdr.dask.transform(path, da.from_array(points, chunks=(300, 3)))
    path.unlink()
    assert np.array_equal(found.compute(), maps.transform(points))


def test_types(client, maps, points):
    for dtype, wanted in [("f4", "f4"), ("f8", "f8"), ("i4", "f8")]:
        X = np.round(points).astype(dtype)
        found = nrdr.dask.transform(maps, da.from_array(X, chunks=(300, 3)))
        assert found.dtype == found._meta.dtype == np.dtype(wanted)
        computed = found.compute()
        assert computed.dtype == np.dtype(wanted)
        assert np.array_equal(computed, maps.transform(X))


def test_unknown_sizes_and_chunks_without_rows(client, maps, points):
    X = da.from_array(points, chunks=(300, 3))
    # Of the last chunk nothing is left.
    kept = np.arange(900) % 2 * (np.arange(900) < 600) == 1
    some = X[da.from_array(kept, chunks=300)]
    assert np.isnan(some.shape[0])
    found = nrdr.dask.transform(maps, some)
    assert np.array_equal(found.compute(), maps.transform(points[kept]))


def test_frames(client, named, points):
    frame = pd.DataFrame(points, columns=list("xyz"), index=np.arange(900) * 2)
    found = nrdr.dask.transform(named, dd.from_pandas(frame, npartitions=4))
    wanted = pd.DataFrame(
        named.transform(frame), index=frame.index, columns=named.get_feature_names_out()
    )
    assert list(found.columns) == list(wanted.columns)
    assert (found.dtypes == wanted.dtypes).all()
    pd.testing.assert_frame_equal(found.compute(), wanted, check_exact=True)
    short = nrdr.dask.transform(named, dd.from_pandas(frame.astype("f4"), npartitions=2))
    assert (short.dtypes == np.float32).all()
    assert np.array_equal(short.compute().to_numpy(), named.transform(frame.astype("f4")))
    some = dd.from_pandas(frame, npartitions=4)
    some = some[some.x > some.x.max()]
    assert nrdr.dask.transform(named, some).compute().shape == (0, 2)


def test_nothing_is_computed_before_it_is_asked_for(maps, named):
    def never(*_):
        raise AssertionError("computed")

    X = da.zeros((100, 3), chunks=(50, 3)).map_blocks(never, meta=np.empty((0, 0)))
    nrdr.dask.transform(maps, X)
    frame = dd.from_pandas(pd.DataFrame(np.zeros((9, 3)), columns=list("xyz")), npartitions=2)
    nrdr.dask.transform(named, frame.map_partitions(never, meta=frame._meta))


def test_the_same_is_one_task(maps, points):
    X = da.from_array(points, chunks=(300, 3))
    again = pickle.loads(pickle.dumps(maps))
    assert nrdr.dask.transform(maps, X).name == nrdr.dask.transform(again, X).name


def test_what_cannot_be_is_refused_at_once(maps, named, points, kernel):
    X = da.from_array(points, chunks=(300, 3))
    for model, given, told in [
        (maps, X[:, :2], "X has 2 columns, and the model takes 3"),
        (maps, X[:, 0], "X has 1 dimension"),
        (maps, X.astype(str), "not numbers"),
        (maps, points, "no array or frame of Dask"),
        (nrdr.LTSA(), X, "not fitted"),
        ("none such", X, "none such"),
        (7, X, "model is a int"),
        (nrdr.KernelPCA(kernel="precomputed").fit(kernel), X, "takes .*, not points"),
    ]:
        with pytest.raises((TypeError, ValueError, OSError), match=told):
            nrdr.dask.transform(model, given)
    frame = dd.from_pandas(pd.DataFrame(points, columns=list("xyz")), npartitions=2)
    for given, told in [
        (frame[["z", "y", "x"]], "another order"),
        (frame[["x", "y"]], 'lack "z"'),
        (frame.assign(z="text"), 'column "z" of X holds text'),
    ]:
        with pytest.raises(ValueError, match=told):
            nrdr.dask.transform(named, given)
    with pytest.warns(UserWarning, match="feature names"):
        nrdr.dask.transform(named, X)


def test_an_error_in_a_chunk_is_told(client, maps, points):
    X = points.copy()
    X[700, 1] = np.nan
    found = nrdr.dask.transform(maps, da.from_array(X, chunks=(300, 3)))
    with pytest.raises(ValueError, match="row 100, column 1"):
        found.compute()
