"""The package is typed: checkers refuse misspelt words, and the stub tells what the module has."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from typing import get_args

import numpy as np
import pytest
from conftest import CATALOG, ROOT

import nrdr
from nrdr import _nrdr, typing
from nrdr._arguments import OTHERS
from nrdr._kernels import PAIRWISE

#: What makes an estimator that has the parameter; the parameter; its words.
WORDS = [
    ("LTSA", "strategy", typing.Strategy),
    ("LTSA", "smoother", typing.Smoother),
    ("LTSA", "search", typing.Search),
    ("LTSA", "components", typing.Components),
    ("LTSA", "eigen_solver", typing.EigenSolver),
    ("LaplacianEigenmaps", "affinity", typing.Affinity),
    ("DiffusionMaps", "affinity", typing.GraphAffinity),
    ("LaplacianEigenmaps", "weights", typing.Weights),
    ("KernelPCA", "kernel", typing.Kernel),
    ("Precomputed", "end", typing.End),
    ("Precomputed", "length", typing.Length),
]
#: Those that Python knows and the core does not.
OURS = {
    "kernel": {"precomputed", *PAIRWISE},
    "eigen_solver": set(OTHERS),
}

#: What users write. Lines that are marked are wrong, and no others.
USER = """\
import pathlib

import numpy as np
import nrdr
from nrdr.typing import Strategy

X, truth = nrdr.datasets.make_swiss_roll(50)
Y: np.ndarray = nrdr.Isomap(3, n_neighbors=5, metric="euclidean").fit_transform(X)
components: str = nrdr.Isomap().fit(X).components
errors: np.ndarray = nrdr.redundancy(Y, bandwidth="datafold", random_state=None).errors
nrdr.redundancy(Y, bandwidth="dataflod")  # wrong
nrdr.LTSA("auto", alpha="auto", random_state=np.random.RandomState(0))
nrdr.LTSA(n_components="all")  # wrong
nrdr.LTSA(alpha="wide")  # wrong
nrdr.LTSA(random_state="0")  # wrong
nrdr.LTSA(strategies="priced")  # wrong, which mypy cannot tell: scikit-learn has no types
nrdr.compare(X, strategies=["orthogonal", "priced"])
nrdr.compare(X, strategies=["orthogonal", "priecd"])  # wrong
nrdr.scanpy.diffmap(None, strategy="priecd")  # wrong
found = nrdr.embed(X, label=truth[:, 0], method="ltsa", n_neighbors=8)
nrdr.embed(X, method="lsta")  # wrong
nrdr.embed(X, strategy="priecd")  # wrong
nrdr.embed(X, stratgey="priced")  # wrong
page: str = found.report()
file: pathlib.Path = found.report("page.html")
wrong: pathlib.Path = found.report()  # wrong
again: pathlib.Path = nrdr.report(Y, "page.html", y=truth[:, 0])
title: str = nrdr.plot.embedding(Y).get_title()
nrdr.plot.embedding(Y, backend="gnuplot")  # wrong


def second(strategy: Strategy) -> float:
    return float(nrdr.LTSA(strategy=strategy).fit(X).redundancy_[1])


second("selection")
second("select")  # wrong
"""


def user():
    """The same with each word of each parameter, and one that is none."""
    lines = USER.splitlines()
    for cls, parameter, words in WORDS:
        lines += [f'nrdr.{cls}({parameter}="{word}")' for word in get_args(words)]
        lines.append(f'nrdr.{cls}({parameter}="{get_args(words)[0]}s")  # wrong')
    return lines


def run(folder, *command):
    """A checker, in a folder of its own; its JSON or lines of JSON."""
    environment = {**os.environ, "MYPYPATH": str(ROOT / "python"), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", *map(str, command)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def mypy(folder, *files):
    """Where mypy finds errors, and what it says."""
    config = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", ROOT / "target/mypy_cache"]
    done = run(folder, "mypy", *config, "--output", "json", *files)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = [json.loads(line) for line in done.stdout.split("\n") if line]
    return [(one["line"], f"{one['file']}: {one['message']}") for one in found]


def pyright(folder, *options):
    """Where pyright finds errors, and what it says."""
    pytest.importorskip("pyright", reason="pyright is not installed: pip install pyright")
    if shutil.which("node") is None:
        pytest.skip("pyright needs node: apt install nodejs")
    done = run(folder, "pyright", "--outputjson", "--pythonpath", sys.executable, *options)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = json.loads(done.stdout)["generalDiagnostics"]
    return [
        (one["range"]["start"]["line"] + 1, f"{one['file']}: {one['message']}")
        for one in found
        if one["severity"] == "error"
    ]


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_users(checker, tmp_path):
    lines = user()
    (tmp_path / "user.py").write_text("\n".join(lines) + "\n")
    settings = {"extraPaths": [str(ROOT / "python")]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    mark = re.compile("# wrong$" if checker is mypy else "# wrong")
    wrong = {number for number, line in enumerate(lines, start=1) if mark.search(line)}
    found = checker(tmp_path, "user.py") if checker is mypy else checker(tmp_path)
    shown = {number: (lines[number - 1], message) for number, message in found}
    assert set(shown) == wrong, {n: shown.get(n, lines[n - 1]) for n in set(shown) ^ wrong}


def test_the_package():
    package = mypy(ROOT, "python/nrdr")
    assert not package, package


def test_the_package_by_pyright():
    package = pyright(ROOT, "--project", ROOT / "pyproject.toml")
    assert not package, package


def test_stub(tmp_path):
    config = ["--mypy-config-file", ROOT / "pyproject.toml", "--ignore-missing-stub"]
    done = run(tmp_path, "mypy.stubtest", "nrdr._nrdr", *config)
    assert done.returncode == 0, done.stdout
    # What is missing there is ignored because of `__all__`, which no stub needs.
    told = ast.parse((ROOT / "python" / "nrdr" / "_nrdr.pyi").read_text()).body
    names = {name for one in told for name in defined(one)}
    there = {name for name in dir(_nrdr) if not name.startswith("__") or name == "__version__"}
    assert {name for name in names if not name.startswith("_") or name == "__version__"} == there


def defined(statement):
    """The names that a line of a stub defines."""
    if isinstance(statement, ast.AnnAssign):
        return [statement.target.id]
    return [statement.name] if hasattr(statement, "name") else []


def test_parameters_are_those_of_the_classes():
    classes = [getattr(nrdr, entry["class"]) for entry in CATALOG["methods"]]
    declared = {}
    for field in (field for cls in classes for field in fields(cls)):
        declared.setdefault(field.name, set()).add(field.type)
    assert declared.pop("n_components") == {"int | Auto"}
    # Laplacian eigenmaps take more of them than diffusion maps.
    declared["affinity"].remove("GraphAffinity")
    told = typing.Parameters.__annotations__
    assert {name: {hint.__forward_arg__} for name, hint in told.items()} == declared


def test_words_are_those_of_the_catalogue():
    methods = [entry["name"] for entry in CATALOG["methods"]]
    assert sorted(get_args(typing.Method)) == sorted(methods)
    strategies = [entry["name"] for entry in CATALOG["strategies"]]
    assert sorted(get_args(typing.Strategy)) == sorted(strategies)
    entries = [entry for kind in ("methods", "strategies") for entry in CATALOG[kind]]
    typed = {parameter: words for _, parameter, words in WORDS}
    seen = set()
    for parameter in (parameter for entry in entries for parameter in entry["parameters"]):
        name = parameter["name"]
        if parameter["kind"] == "word":
            seen.add(name)
            assert set(get_args(typed[name])) == set(parameter["words"]) | OURS.get(name, set())
    assert seen == {"smoother", "weights", "kernel", "end", "length"}


@pytest.mark.parametrize(("cls", "parameter", "words"), WORDS)
def test_words_are_those_that_are_accepted(cls, parameter, words):
    """A word that is none is answered by those there are."""
    X = np.eye(30)
    with pytest.raises(ValueError, match=f"^{parameter} = 'none such' is out of range") as refused:
        getattr(nrdr, cls)(**{parameter: "none such"}).fit(X)
    named = set(str(refused.value).partition("must be ")[2].split(", "))
    assert named == set(get_args(words)) - OURS.get(parameter, set())


def test_bandwidths():
    with pytest.raises(ValueError, match="bandwidth") as refused:
        nrdr.redundancy(np.random.default_rng(0).normal(size=(50, 2)), bandwidth="none such")
    assert all(word in str(refused.value) for word in get_args(typing.Bandwidth))
