"""The classes are what the core's catalogue says, and say so."""

from dataclasses import fields

import pytest
from conftest import CATALOG

import nrdr
from nrdr._base import COMMON, SpectralEmbedder

METHODS = {entry["name"]: entry for entry in CATALOG["methods"]}
STRATEGIES = {entry["name"]: entry for entry in CATALOG["strategies"]}

#: What `X` is and what is computed in Python, of which the core is not told.
PYTHON = {"affinity", "metric", "p", "metric_params", "radius", "kernel_params", "ridge"}
#: The same name as a parameter of another method.
OF_CLASS = {"lem": {"gamma"}}


def own(cls):
    """The parameters that a class adds, with their defaults."""
    known = {field.name for field in fields(SpectralEmbedder)} | PYTHON
    known |= OF_CLASS.get(cls._method, set())
    for name in {field.name for field in fields(cls)} & known - {"_"}:
        assert f"\n    {name} : " in cls.__doc__ or f"\n    {name}, " in cls.__doc__
    added = (field for field in fields(cls) if field.name not in known)
    return {field.name: field.default for field in added}


@pytest.mark.parametrize("name", METHODS)
def test_methods(name):
    entry = METHODS[name]
    cls = getattr(nrdr, entry["class"])
    assert entry["class"] in nrdr.__all__ and cls._method == name
    declared = {parameter["name"]: parameter["default"] for parameter in entry["parameters"]}
    assert own(cls) == declared
    for parameter in entry["parameters"]:
        assert f"\n    {parameter['name']} : " in cls.__doc__
        for word in parameter["words"]:
            assert f'"{word}"' in cls.__doc__
    if entry["paper"]:
        assert entry["paper"] in cls.__doc__


def test_every_class_is_in_the_catalogue():
    classes = {
        name
        for name in nrdr.__all__
        if isinstance(getattr(nrdr, name), type)
        and issubclass(getattr(nrdr, name), SpectralEmbedder)
    }
    assert classes == {entry["class"] for entry in METHODS.values()}


def test_strategies():
    common = {field.name: field.default for field in fields(SpectralEmbedder)}
    for entry in STRATEGIES.values():
        assert f'"{entry["name"]}"' in COMMON
        for parameter in entry["parameters"]:
            assert common[parameter["name"]] == parameter["default"]
            assert f"{parameter['name']} : " in COMMON


def test_defaults():
    common = {field.name: field.default for field in fields(SpectralEmbedder)}
    spelled = {
        "dims": "n_components",
        "neighbors": "n_neighbors",
        "search": "search",
        "recall": "recall",
        "components": "components",
        "strategy": "strategy",
        "solver": "eigen_solver",
        "tolerance": "tol",
        "max_iterations": "max_iter",
        "seed": "random_state",
    }
    defaults = dict(CATALOG["defaults"])
    most = defaults.pop("most_dims")
    assert {spelled[name]: value for name, value in defaults.items()} == {
        name: common[name] for name in spelled.values()
    }
    for entry in METHODS.values():
        if entry["takes"] != "a matrix":
            assert f"at most {most}." in getattr(nrdr, entry["class"]).__doc__


@pytest.mark.parametrize("name", METHODS)
def test_what_the_core_refuses_is_named(name):
    entry = METHODS[name]
    cls = getattr(nrdr, entry["class"])
    X = [[float(i * j % 7) for j in range(12)] for i in range(12)]
    for parameter in entry["parameters"]:
        if parameter["kind"] == "vector":
            continue
        with pytest.raises((TypeError, ValueError), match=f"^{parameter['name']} = "):
            cls(n_neighbors=4, **{parameter["name"]: "no such thing"}).fit(X)
