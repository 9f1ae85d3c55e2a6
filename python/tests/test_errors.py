"""What goes wrong is said as on the command line, and never as a panic."""

import subprocess
import warnings

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.pipeline import make_pipeline

import nrdr


def cloud(n=60):
    return np.random.default_rng(0).normal(size=(n, 3))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components = 0 is out of range: it must be at least 1"),
        ({"n_components": 60}, "60 coordinate\\(s\\) were asked for, but there are only 59"),
        ({"n_components": -1}, "n_components = -1 is out of range: it must be at least 1"),
        ({"n_neighbors": 0}, "^n_neighbors = 0 is out of range: it must be at least 1"),
        (
            {"strategy": "best"},
            "strategy = 'best' is out of range: it must be orthogonal, priced, unpredictable, ",
        ),
        ({"alpha": -1.0}, "alpha = -1 is out of range: it must be between 1e-6 and 1e6"),
        ({"smoother": "x"}, "smoother = 'x' is out of range: it must be nw, local-linear"),
        ({"components": "x"}, "components = 'x' is out of range"),
        ({"tol": 1.0}, "tol = 1 is out of range"),
        ({"max_iter": 0}, "max_iter = 0 is out of range"),
        ({"random_state": -1}, "random_state = -1 is out of range"),
        ({"n_jobs": 0}, "n_jobs = 0 is out of range"),
        ({"weights": "x"}, "weights = 'x' is out of range"),
        ({"weights": "binary", "sigma": 1.0}, 'sigma has no meaning with weights="binary"'),
        ({"affinity": "x"}, "affinity = 'x' is out of range"),
        ({"affinity": ["x"]}, "affinity = \\['x'\\] is out of range"),
        ({"eigen_solver": "x"}, "eigen_solver = 'x' is out of range"),
    ],
    ids=str,
)
def test_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        nrdr.LaplacianEigenmaps(**parameters).fit(cloud())


@pytest.mark.parametrize("name", ["n_components", "n_neighbors", "alpha", "tol", "sigma", "n_jobs"])
def test_wrong_types_are_named(name):
    with pytest.raises(TypeError, match=f"{name} = .* must be"):
        nrdr.LaplacianEigenmaps(**{name: [1]}).fit(cloud())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": "Auto"}, 'alpha = .* must be a number or "auto"'),
        ({"n_components": "Auto"}, 'n_components = .* must be a whole number or "auto"'),
        ({"n_jobs": 2.5}, "n_jobs = 2.5 must be a whole number or None"),
        ({"n_jobs": "4"}, "n_jobs = '4' must be a whole number or None"),
    ],
    ids=str,
)
def test_what_else_there_is_instead_of_a_number(parameters, message):
    with pytest.raises(TypeError, match=message):
        nrdr.LaplacianEigenmaps(**parameters).fit(cloud())


def test_a_wrong_parameter_can_be_shown():
    pipeline = make_pipeline(PCA(), nrdr.LaplacianEigenmaps(affinity="x"))
    assert "LaplacianEigenmaps" in pipeline._repr_html_()


@pytest.mark.parametrize("n", [-1, 0, 2**32 - 1, 2**40, 2**60, 2**70])
@pytest.mark.parametrize("name", nrdr.datasets.__all__)
def test_numbers_of_points(name, n):
    with pytest.raises(ValueError, match=f"n_samples = {n} is out of range"):
        getattr(nrdr.datasets, name)(n)


def test_a_failed_fit_leaves_what_was_there():
    X, wrong = cloud(), nrdr.LaplacianEigenmaps(n_components=500)
    with pytest.raises(ValueError):
        wrong.fit(X)
    assert not hasattr(wrong, "n_features_in_") and "svg" not in wrong._repr_html_()
    for use in (lambda: wrong.transform(X), lambda: wrong.report_, lambda: nrdr.report(wrong, "x")):
        with pytest.raises(NotFittedError):
            use()
    fitted = nrdr.LaplacianEigenmaps().fit(X)
    with pytest.raises(ValueError):
        fitted.fit(X[:1, :2])
    assert np.allclose(fitted.transform(X), fitted.embedding_, atol=1e-6)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_values(value):
    X = cloud()
    X[7, 1] = value
    with pytest.raises(ValueError, match=r"row 7, column 1 holds .*: remove the row"):
        nrdr.LTSA().fit(X)


def test_matrices():
    X = cloud(20)
    own = nrdr.Precomputed()
    with pytest.raises(ValueError, match="20 rows and 3 columns: it must be a square matrix"):
        own.fit(X)
    with pytest.raises(ValueError, match="the matrix is not symmetric"):
        own.fit(np.arange(400.0).reshape(20, 20))
    with pytest.raises(ValueError, match="give distances, not affinities"):
        nrdr.Isomap(metric="precomputed").fit(X @ X.T + 9 * np.eye(20) + 20)
    for given, message in [
        ({"trivial": np.ones(3)}, "has size 3, expected 20"),
        ({"trivial": np.ones((20, 1))}, "trivial has shape \\(20, 1\\): it must be a number for"),
        ({"scale": [1.0] * 19 + [np.nan]}, "scale holds nan at 19: it must be finite"),
    ]:
        with pytest.raises(ValueError, match=message):
            nrdr.Precomputed(**given).fit(X @ X.T)


def test_candidates_that_do_not_tell_points_apart():
    with pytest.raises(ValueError, match=r"tell only 21 of 50 points apart.* lower candidates"):
        nrdr.Precomputed(strategy="selection").fit(np.diag(np.arange(50.0)))


def test_methods_are_called_as_in_python():
    before = nrdr.LaplacianEigenmaps(strategy="advection")
    for moved in (before, nrdr.LaplacianEigenmaps(strategy="advection").fit(cloud())):
        with pytest.raises(AttributeError, match="no attribute 'transform'") as raised:
            moved.transform(cloud())
        told = str(raised.value.__cause__)
        assert "with LaplacianEigenmaps cannot" in told and "HessianEigenmaps or LTSA" in told


def test_more_neighbours_than_there_are():
    X = cloud()
    for use in ("fit", "fit_transform"):
        many = nrdr.LTSA(n_neighbors=60)
        with pytest.warns(
            UserWarning, match="n_neighbors = 60 is reduced to 59: .* 60 points"
        ) as told:
            getattr(many, use)(X)
        assert told[0].filename == __file__
    assert many.report_["warnings"][0].startswith("n_neighbors = 60")
    assert np.array_equal(many.embedding_, nrdr.LTSA(n_neighbors=59).fit_transform(X))


def test_all_equal():
    with pytest.raises(ValueError, match="all 50 points are equal"):
        nrdr.LaplacianEigenmaps().fit(np.ones((50, 3)))


def test_a_graph_that_falls_apart():
    X = np.vstack([cloud(40), cloud(30) + 100])
    with pytest.raises(ValueError, match='choose components="connect" or "largest"'):
        nrdr.LaplacianEigenmaps(components="error").fit(X)
    for use in ("fit", "fit_transform"):
        joined = nrdr.LaplacianEigenmaps()
        with pytest.warns(UserWarning, match="had 2 components \\(sizes 40, 30\\), joined") as told:
            getattr(joined, use)(X)
        assert told[0].filename == __file__
        assert "more n_neighbors may be better" in joined.report_["warnings"][0]
    with pytest.warns(UserWarning, match="30 points outside the largest are left out"):
        fitted = nrdr.LaplacianEigenmaps(components="largest").fit(X)
    assert np.isnan(fitted.embedding_[40:]).all() and not np.isnan(fitted.embedding_[:40]).any()
    assert fitted.redundancy_.shape == (2,) and "<svg" in fitted._repr_html_()


def test_what_does_not_converge_is_a_warning():
    X, _ = nrdr.datasets.make_swiss_roll(1500)
    hasty = nrdr.LaplacianEigenmaps(strategy="orthogonal", eigen_solver="lanczos", max_iter=60)
    with pytest.warns(ConvergenceWarning, match="did not converge: residual .* raise max_iter"):
        hasty.fit(X)
    # With so large residuals the coordinates may be mixed, too.
    told = hasty.report_["warnings"][-1]
    assert "raise max_iter" in told and "did not converge" in hasty._repr_html_()
    assert hasty.embedding_.shape == (1500, 2) and hasty.residuals_.max() < 1e-2


def test_spent_coordinates_are_a_warning():
    line = np.linspace(0, 1, 50)[:, None] * np.ones(3)
    with pytest.warns(ConvergenceWarning, match="carry information"):
        nrdr.KernelPCA(3, kernel="linear", strategy="orthogonal").fit(line)


def test_no_warning_without_a_reason(roll):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nrdr.LTSA(n_neighbors=12).fit(roll[0])


def test_the_command_line_says_the_same(program, tmp_path):
    np.save(tmp_path / "x.npy", np.ones((30, 3)))
    told = subprocess.run(
        [program, "embed", tmp_path / "x.npy", "-o", tmp_path / "o.npy"],
        capture_output=True,
        text=True,
    ).stderr
    with pytest.raises(ValueError) as raised:
        nrdr.LaplacianEigenmaps().fit(np.ones((30, 3)))
    what, way_out = str(raised.value).split(": ")
    assert what in told and way_out in told


@pytest.mark.parametrize("memory", ["abc", "8X", "", "-1G", 0, 10_000, -5, float("nan")])
def test_memory_that_cannot_be_meant(memory):
    with pytest.raises(ValueError, match=r"^memory = .* is out of range"):
        nrdr.LaplacianEigenmaps(memory=memory).fit(cloud())


def test_memory_of_another_kind():
    with pytest.raises(TypeError, match=r"^memory = .* must be a number of bytes"):
        nrdr.LaplacianEigenmaps(memory=[1]).fit(cloud())
