"""The same numbers as the command line, bit for bit."""

import json
import subprocess

import numpy as np
import pytest
from conftest import ESTIMATORS, name_of

import nrdr


def run(program, *arguments):
    subprocess.run([program, *map(str, arguments)], check=True, capture_output=True)


def spelled(verdict):
    """What the command line tells, with options as they are spelled here."""
    return verdict.replace("--strategy orthogonal", 'strategy="orthogonal"')


@pytest.mark.parametrize("strategy", ["priced", "unpredictable", "orthogonal"])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name_of)
def test_same_bits(estimator, strategy, program, tmp_path):
    X, _ = nrdr.datasets.make_swiss_roll(400, height=12, random_state=5)
    np.save(tmp_path / "points.npy", X)
    method, out, facts = estimator._method, tmp_path / "out.npy", tmp_path / "run.json"
    run(program, "embed", tmp_path / "points.npy", "-m", method, "-s", strategy, "-d", 3, "-k", 14,
        "--seed", 7, "-q", "-o", out, "--json", facts)  # fmt: skip
    parameters = {"strategy": strategy, "n_components": 3, "n_neighbors": 14, "random_state": 7}
    ours = type(estimator)(**parameters).fit(X)
    assert ours.embedding_.tobytes() == np.load(out).tobytes()
    told, report = json.loads(facts.read_text()), ours.report_
    assert report["verdict"] == spelled(told["verdict"])
    for name in ("eigenvalues", "residual", "alpha", "rank", "redundancy", "quality", "chosen"):
        assert report[name] == told[name]
        if strategy != "orthogonal":
            assert report["original"][name] == told["original"][name]


def test_other_options(program, tmp_path):
    X, _ = nrdr.datasets.make_swiss_roll(400, height=12)
    np.save(tmp_path / "points.npy", X)
    out = tmp_path / "out.npy"
    run(program, "embed", tmp_path / "points.npy", "-m", "lem", "-d", "auto", "--alpha", 0.3,
        "--smoother", "local-linear", "--weights", "heat", "--sigma", 2, "-q",
        "-o", out)  # fmt: skip
    ours = nrdr.LaplacianEigenmaps(
        "auto", alpha=0.3, smoother="local-linear", weights="heat", sigma=2.0, n_jobs=1
    )
    assert ours.fit_transform(X).tobytes() == np.load(out).tobytes()


def test_same_datasets(program, tmp_path):
    out, truth = tmp_path / "x.npy", tmp_path / "t.npy"
    made = {
        "swiss-roll": nrdr.datasets.make_swiss_roll(50, noise=0.1, random_state=2),
        "s-curve": nrdr.datasets.make_s_curve(50, noise=0.1, random_state=2),
        "strip": nrdr.datasets.make_strip(50, noise=0.1, random_state=2),
        "cube": nrdr.datasets.make_cube(50, noise=0.1, random_state=2),
        "torus": nrdr.datasets.make_torus(50, noise=0.1, random_state=2),
    }
    for name, (points, parameters) in made.items():
        run(
            program,
            "dataset",
            name,
            "-n",
            50,
            "--noise",
            0.1,
            "--seed",
            2,
            "-o",
            out,
            "--truth",
            truth,
        )
        assert np.array_equal(np.load(out), points)
        assert np.array_equal(np.load(truth), parameters)


def test_same_redundancy(program, tmp_path, digits):
    Y = digits[0][:, 10:14]
    np.save(tmp_path / "y.npy", Y)
    run(program, "redundancy", tmp_path / "y.npy", "--json", tmp_path / "r.json")
    told = json.loads((tmp_path / "r.json").read_text())
    assert told["errors"] == nrdr.redundancy(Y).errors.tolist()
