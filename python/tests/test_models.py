"""Models that travel between the command line and Python, with all that belongs to them."""

import json
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import ESTIMATORS, name_of
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import nrdr

ATTRIBUTES = ("embedding_", "eigenvalues_", "lengths_", "alpha_", "residuals_")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Old points and new ones, in files and as frames; the new file has its columns in disorder."""
    folder = tmp_path_factory.mktemp("tables")
    X, _ = nrdr.datasets.make_swiss_roll(330, height=5, noise=0.1, random_state=4)
    frame = pd.DataFrame(X * [1.0, 3.0, 1.0], columns=["across", "height", "along"])
    old, new = frame[:250], frame[250:].reset_index(drop=True)
    old.to_csv(folder / "old.csv", index=False)
    new[["along", "across", "height"]].assign(note="a").to_csv(folder / "new.csv", index=False)
    return folder, old, new


@pytest.fixture
def run(program, tables):
    """Runs the command line among the tables."""

    def call(*arguments):
        command = [Path(program).resolve(), *map(str, arguments)]
        subprocess.run(command, check=True, capture_output=True, cwd=tables[0])

    return call


def transformed(run, model, out, new="new.csv"):
    """The coordinates that the command line gives to new points."""
    run("transform", model, new, "-o", out, "-q")
    return np.load(out)


def same(a, b):
    return np.asarray(a).tobytes() == np.asarray(b).tobytes()


@pytest.mark.parametrize("options", [(), ("--standardize",), ("--standardize", "--pca", "2")])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name_of)
def test_from_the_command_line(estimator, options, tables, run, tmp_path):
    _, old, new = tables
    model, facts = tmp_path / "a.model", tmp_path / "run.json"
    run("embed", "old.csv", "-m", estimator._method, "-d", 3, "-k", 12, *options, "-q",
        "--model", model, "-o", tmp_path / "old.npy", "--json", facts)  # fmt: skip
    loaded = nrdr.load(model)
    assert type(loaded) is type(estimator)
    assert (loaded.n_components, loaded.n_neighbors, loaded.strategy) == (3, 12, "priced")
    pca = 2 if "--pca" in options else None
    done = {"impute": None, "standardize": "--standardize" in options, "pca": pca}
    assert loaded.preparation_ == done
    assert list(loaded.feature_names_in_) == list(old.columns) and loaded.n_features_in_ == 3
    # The same bits, of the fit and of new points.
    assert same(loaded.embedding_, np.load(tmp_path / "old.npy"))
    assert same(loaded.transform(old), loaded.embedding_)
    assert same(loaded.transform(new), transformed(run, model, tmp_path / "new.npy"))
    told = json.loads(facts.read_text())
    for name in ("eigenvalues", "lengths", "residual", "alpha", "chosen", "solver"):
        assert loaded.report_[name] == told[name]
    assert loaded.report_["redundancy"] == told["redundancy"]
    # Written again it is the same file.
    loaded.save(tmp_path / "b.model")
    assert (tmp_path / "b.model").read_bytes() == model.read_bytes()


@pytest.mark.parametrize("how", ["mean", "median", "knn"])
def test_a_model_that_fills_missing_values(how, tables, run, tmp_path):
    folder, old, new = tables
    model = tmp_path / "a.model"
    holed = old.mask(np.random.default_rng(1).random(old.shape) < 0.1)
    holed.to_csv(folder / "holed.csv", index=False)
    run("embed", "holed.csv", "-k", 12, "--impute", how, "-q", "--model", model,
        "-o", tmp_path / "old.npy")  # fmt: skip
    loaded = nrdr.load(model)
    assert loaded.preparation_ == {"impute": how, "standardize": False, "pca": None}
    assert same(loaded.embedding_, np.load(tmp_path / "old.npy"))
    assert same(loaded.transform(new), transformed(run, model, tmp_path / "new.npy"))
    loaded.save(tmp_path / "b.model")
    assert (tmp_path / "b.model").read_bytes() == model.read_bytes()
    with pytest.raises(ValueError, match="NaN"):
        loaded.transform(holed)


@pytest.mark.parametrize("strategy", ["priced", "orthogonal", "unpredictable"])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name_of)
def test_from_python(estimator, strategy, tables, run, tmp_path):
    _, old, new = tables
    parameters = {"n_neighbors": 12, "strategy": strategy, "random_state": 3}
    fitted = clone(estimator).set_params(**parameters).fit(old)
    model, theirs = tmp_path / "a.model", tmp_path / "b.model"
    assert fitted.save(model) is None
    assert same(fitted.transform(new), transformed(run, model, tmp_path / "new.npy"))
    # The command line's own of the same table is the same file.
    run("embed", "old.csv", "-m", estimator._method, "-k", 12, "-s", strategy, "--seed", 3, "-q",
        "--model", theirs)  # fmt: skip
    assert theirs.read_bytes() == model.read_bytes()
    # And back.
    again = nrdr.load(model)
    assert same(again.transform(new), fitted.transform(new))
    for name in ATTRIBUTES:
        assert same(getattr(again, name), getattr(fitted, name)), name
    assert again.n_iter_ == fitted.n_iter_
    assert list(again.get_feature_names_out()) == list(fitted.get_feature_names_out())
    assert np.array_equal(again.redundancy_, fitted.redundancy_)
    assert again.quality_ is None and type(fitted).__name__ in again._repr_html_()


def test_a_loaded_model_is_an_estimator(tables, tmp_path):
    _, old, new = tables
    fitted = nrdr.DiffusionMaps(3, density=0.5, strategy="unpredictable", alpha=0.4).fit(old)
    fitted.save(tmp_path / "a.model")
    loaded = nrdr.load(str(tmp_path / "a.model"))
    told = repr(loaded)
    for part in (
        "DiffusionMaps(",
        "density=0.5",
        "epsilon=",
        "strategy='unpredictable'",
        "alpha=0.4",
    ):
        assert part in told
    # The scale that was chosen is a parameter now: the same fit comes out of it.
    assert loaded.epsilon == fitted.report_["chosen"]["epsilon"]
    assert same(clone(loaded).fit_transform(old), fitted.embedding_)
    frame = loaded.set_output(transform="pandas").transform(new)
    assert list(frame.columns) == ["diffusionmaps0", "diffusionmaps1", "diffusionmaps2"]
    with pytest.raises(ValueError, match="feature names"):
        loaded.transform(new[["along", "across", "height"]])
    with pytest.raises(ValueError, match="2 features"), pytest.warns(UserWarning, match="names"):
        loaded.transform(np.ones((4, 2)))
    copy = pickle.loads(pickle.dumps(loaded.set_output(transform="default")))
    assert same(copy.transform(new), fitted.transform(new))


def test_columns_without_names(tables, run, tmp_path):
    _, old, new = tables
    np.save(tmp_path / "old.npy", old.to_numpy())
    run("embed", tmp_path / "old.npy", "--model", tmp_path / "a.model", "-q")
    nrdr.LaplacianEigenmaps().fit(old.to_numpy()).save(tmp_path / "b.model")
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    loaded = nrdr.load(tmp_path / "a.model")
    assert not hasattr(loaded, "feature_names_in_")
    np.save(tmp_path / "new.npy", new.to_numpy())
    found = transformed(run, tmp_path / "b.model", tmp_path / "f.npy", tmp_path / "new.npy")
    assert same(loaded.transform(new.to_numpy()), found)


def test_rows_that_were_left_out_are_empty(tmp_path):
    X, _ = nrdr.datasets.make_swiss_roll(200, height=10, random_state=1)
    X = np.vstack([X[:90], 1e3 + np.arange(12)[:, None] * [1.0, 0, 0], X[90:]])
    maps = nrdr.LaplacianEigenmaps(n_neighbors=8, components="largest")
    with pytest.warns(UserWarning, match="12 points outside the largest"):
        fitted = maps.fit(X)
    assert np.isnan(fitted.embedding_[90:102]).all()
    fitted.save(tmp_path / "a.model")
    assert same(nrdr.load(tmp_path / "a.model").embedding_, fitted.embedding_)


def test_distances_and_kernels(roll, kernel, run, tmp_path):
    X = roll[0][:250]
    lengths = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    lengths = (lengths + lengths.T) / 2
    given = [
        (nrdr.Isomap(metric="precomputed"), lengths),
        (nrdr.DiffusionMaps(affinity="precomputed_nearest_neighbors"), lengths),
        (nrdr.KernelPCA(kernel="precomputed"), kernel),
        (nrdr.Precomputed(), kernel),
    ]
    for number, (estimator, matrix) in enumerate(given):
        fitted = estimator.fit(matrix[:, :])
        new = np.abs(matrix[:7] + 1e-3)
        model = tmp_path / f"{number}.model"
        fitted.save(model)
        loaded = nrdr.load(model)
        assert same(loaded.transform(new), fitted.transform(new))
        np.save(tmp_path / "new.npy", new)
        found = transformed(run, model, tmp_path / "f.npy", tmp_path / "new.npy")
        assert same(found, fitted.transform(new))


def test_a_pipeline_saves_its_last_step(tables, tmp_path):
    _, old, new = tables
    pipeline = make_pipeline(StandardScaler(), nrdr.LaplacianEigenmaps()).fit(old)
    pipeline[-1].save(tmp_path / "a.model")
    rest = make_pipeline(pipeline[0], nrdr.load(tmp_path / "a.model"))
    assert same(rest.transform(new), pipeline.transform(new))


def test_bad_files_are_named(tables, tmp_path):
    _, old, _ = tables
    path = tmp_path / "a.model"
    nrdr.LaplacianEigenmaps().fit(old).save(path)
    whole = path.read_bytes()
    middle = len(whole) // 2
    altered = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for content, why in [
        (whole[:middle], "it is damaged"),
        (whole[: middle // 100], "it is damaged"),
        (altered, "its checksum is wrong"),
        (
            whole.replace(b'\\"version\\":3', b'\\"version\\":5', 1),
            "it has version 5 .* newer nrdr",
        ),
        (
            whole.replace(b'\\"version\\":3', b'\\"version\\":1', 1),
            "it has version 1 .* make it again",
        ),
        (b"x,y\n1,2\n", "it is no model of nrdr: give a file that holds one"),
        (b"", "it is no model of nrdr"),
    ]:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"a.model: the model cannot be read: .*{why}"):
            nrdr.load(path)
    with pytest.raises(FileNotFoundError, match="check the path") as raised:
        nrdr.load(tmp_path / "none.model")
    assert raised.value.filename == str(tmp_path / "none.model")
    with pytest.raises(IsADirectoryError):
        nrdr.load(tmp_path)


def test_what_cannot_be_saved_says_why(tables, tmp_path):
    _, old, _ = tables
    path = tmp_path / "a.model"
    path.write_text("before")
    with pytest.raises(NotFittedError):
        nrdr.Isomap().save(path)
    fitted = nrdr.LaplacianEigenmaps(strategy="advection").fit(old)
    with pytest.raises(ValueError, match=r"advection .* cannot be extended to new points"):
        fitted.save(path)
    assert path.read_text() == "before"
    fitted = nrdr.Isomap().fit(old)
    with pytest.raises(FileNotFoundError):
        fitted.save(tmp_path / "none" / "a.model")
    fitted.save(path)
    assert sorted(tmp_path.iterdir()) == [path]
    assert same(nrdr.load(path).embedding_, fitted.embedding_)
