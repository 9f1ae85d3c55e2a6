"""What a fit would take is told without fitting."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

import nrdr


def test_stages_and_numbers():
    X, _ = nrdr.datasets.make_swiss_roll(8000)
    estimator = nrdr.LTSA(3, memory="2G")
    plan = estimator.plan(X)
    with pytest.raises(NotFittedError):
        check_is_fitted(estimator)
    stages = [stage["stage"] for stage in plan["stages"]]
    assert stages[:4] == ["reading", "neighbours", "graph", "matrix"]
    assert stages[4:] == ["factorisation", "coordinates", "measuring"]
    assert plan["fits"] and plan["memory"] == 2 * 10**9 and plan["instead"] == []
    assert plan["peak"] == max(stage["during"] for stage in plan["stages"][:-1]) > X.nbytes
    assert plan["time"] == "seconds" and abs(plan["dimension"] - 2) < 0.5
    assert nrdr.LTSA(3, memory=2 * 10**9).plan(X) == plan


def test_what_does_not_fit_is_refused_with_what_would():
    X, _ = nrdr.datasets.make_swiss_roll(8000)
    estimator = nrdr.LTSA(3, memory="5M")
    plan = estimator.plan(X)
    assert not plan["fits"] and any("embed at most" in text for text in plan["instead"])
    with pytest.raises(ValueError, match=r"5 MB are allowed: .*raise memory to"):
        estimator.fit(X)


def test_a_graph_can_be_planned():
    distances = np.abs(np.subtract.outer(np.arange(50.0), np.arange(50.0)))
    plan = nrdr.Isomap(metric="precomputed").plan(distances)
    assert plan["points"] == 50 and plan["fits"]
