"""The strategies side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_array

from . import _nrdr
from ._base import SpectralEmbedder
from ._estimators import LaplacianEigenmaps
from ._given import known
from ._graphs import GraphEmbedder
from ._redundancy import predictable
from .typing import Strategy

if TYPE_CHECKING:
    import pandas as pd

STRATEGIES: tuple[Strategy, ...] = tuple(
    entry["name"] for entry in json.loads(_nrdr.catalog())["strategies"]
)


def compare(
    X: Any,
    estimator: SpectralEmbedder | None = None,
    *,
    strategies: Sequence[Strategy] = STRATEGIES,
    y: Any = None,
    truth: Any = None,
) -> pd.DataFrame:
    """Runs several strategies on the same points and measures what they found.

    The graph of neighbours is built once. Needs pandas.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The points.
    estimator : estimator of nrdr, optional
        The method and its parameters; by default Laplacian eigenmaps.
    strategies : sequence of str
        The strategies; by default all.
    y : array-like of shape (n_samples,), optional
        Labels: then ``accuracy`` is the share that 10 neighbours tell. Missing ones count as a
        label of their own.
    truth : array-like of shape (n_samples, n_parameters), optional
        True parameters: then R2 of each tells how well the embedding recovers it.

    Returns
    -------
    table : pandas.DataFrame
        A row for each strategy: ``predictable``, the share of the variance of the most predictable
        coordinate that the earlier ones tell; ``trustworthiness``, ``continuity`` and
        ``neighborhoods`` of 10 neighbours (1 is best); ``seconds``; and ``error``, if it failed.

    Examples
    --------
    >>> import nrdr
    >>> X, truth = nrdr.datasets.make_swiss_roll(600, height=10)
    >>> table = nrdr.compare(X, strategies=["orthogonal", "unpredictable"], truth=truth)
    >>> bool(table.loc["orthogonal", "predictable"] > 0.9)
    True
    >>> bool(table.loc["unpredictable", "predictable"] < 0.6)
    True
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("compare needs pandas: pip install nrdr[pandas]") from error
    estimator = LaplacianEigenmaps() if estimator is None else estimator
    if not isinstance(estimator, SpectralEmbedder):
        raise TypeError(
            f"estimator = {estimator!r} must be an estimator of nrdr, such as nrdr.LTSA()"
        )
    if estimator._kind() != "points":
        raise ValueError(
            "strategies are compared on points: give points, not distances or a matrix"
        )
    if isinstance(estimator, GraphEmbedder) and not estimator._core_takes(X):
        raise ValueError(
            "strategies are compared on neighbours that the core searches: choose one of its "
            "metrics, and n_neighbors without a radius"
        )
    if isinstance(strategies, str) or not strategies:
        raise ValueError("strategies must be a list of one or more")
    X = check_array(X, dtype=(np.float64, np.float32), ensure_all_finite=False)
    codes = None if y is None else known(y).codes.tolist()
    names = list(map(str, getattr(truth, "columns", [])))
    if truth is not None:
        truth = np.asarray(truth, dtype=np.float64)
        truth = truth.reshape(-1, 1) if truth.ndim == 1 else truth
        names = names or [str(c + 1) for c in range(truth.shape[1])]
    known_truth = None if truth is None else (truth, names)
    found = estimator._with_progress(
        lambda told: _nrdr.compare(
            X,
            estimator._core(),
            estimator._parameters(),
            list(strategies),
            known_truth,
            codes,
            told,
        )
    )
    table = pd.DataFrame(list(map(row, json.loads(found)))).set_index("strategy")
    return table.dropna(axis="columns", how="all")


def row(found: dict[str, Any]) -> dict[str, Any]:
    """A row of the table."""
    if "error" in found:
        return found
    run = found.pop("run")
    errors = (run["redundancy"] or {"errors": [1.0]})["errors"][1:]
    scores = {f"R2({name})": value for name, value in found.pop("recovered")}
    return {
        "strategy": found["strategy"],
        "n_components": run["dims"],
        "trustworthiness": found["trustworthiness"],
        "continuity": found["continuity"],
        "neighborhoods": found["neighborhoods"],
        "accuracy": found["accuracy"],
        "predictable": max(map(predictable, errors), default=None),
        **scores,
        "seconds": sum(run["seconds"].values()),
    }
