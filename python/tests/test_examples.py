"""The examples: in the docstrings, on the pages, and as scripts."""

import doctest
import importlib
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest
from conftest import ROOT

import nrdr

MODULES = [
    "_base",
    "_compare",
    "_embed",
    "_estimators",
    "_matrices",
    "_models",
    "_redundancy",
    "_report",
    "dask",
    "datasets",
    "plot",
    "scanpy._diffmap",
    "scanpy._embed",
    "sklearn._isomap",
    "sklearn._kernel_pca",
    "sklearn._locally_linear",
    "sklearn._spectral",
    "typing",
]
#: Optional packages that a script needs.
NEEDS = {"single_cell": "scanpy", "umap_start": "umap"}
#: Pages with examples in Python.
PAGES = [
    "README.md",
    "docs/python.md",
    "docs/how-to/scikit-learn.md",
    "docs/methods/precomputed.md",
]
SCRIPTS = sorted((ROOT / "python" / "examples").glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(f"nrdr.{name}")
    result = doctest.testmod(module)
    assert result.failed == 0 and (result.attempted or name == "_base")


@pytest.mark.parametrize("name", nrdr.__all__)
def test_every_docstring_has_an_example(name):
    thing = getattr(nrdr, name)
    if callable(thing) and name not in ("Embedded", "Redundancy"):
        assert (
            ">>> " in thing.__doc__
            and "Returns" in thing.__doc__ + "Returns"[: isinstance(thing, type) * 7]
        )
        assert "<common>" not in thing.__doc__ and "<attributes>" not in thing.__doc__


@pytest.mark.parametrize("page", PAGES)
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    namespace = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, page, "exec"), namespace)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_scripts(script, tmp_path):
    needed = NEEDS.get(script.stem)
    if needed and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed: pip install nrdr[{needed}]")
    environment = {"MPLBACKEND": "agg", "PATH": "", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
