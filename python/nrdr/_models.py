"""Models from files: those of the command line's ``--model`` and of ``save``."""

from __future__ import annotations

import json
from dataclasses import fields
from os import PathLike
from typing import Any

import numpy as np

from . import _nrdr
from ._base import SpectralEmbedder
from ._methods import class_of
from ._neighbors import named

#: The parameter that tells what X is where it is distances, by the class that has it.
DISTANCES = {"affinity": "precomputed_nearest_neighbors", "metric": "precomputed"}


def load(path: str | PathLike[str]) -> SpectralEmbedder:
    """Reads a model that ``save`` or the command line's ``--model`` wrote.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    estimator : SpectralEmbedder
        An estimator of the class of the model's method, with the parameters that were used, fitted.
        ``transform`` gives the bits that ``nrdr transform`` gives: columns are standardised and
        turned to principal components first, if they were for the model (``preparation_`` tells).
        What a file does not hold is absent: the random state and the solver are the default ones,
        ``quality_`` is None, and nothing of the original method is known.

    Examples
    --------
    >>> import tempfile
    >>> import nrdr
    >>> X, truth = nrdr.datasets.make_swiss_roll(500, height=10)
    >>> maps = nrdr.LaplacianEigenmaps(n_components=2).fit(X)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     maps.save(folder + "/roll.model")
    ...     again = nrdr.load(folder + "/roll.model")
    >>> again.n_components, bool((again.transform(X) == maps.embedding_).all())
    (2, True)
    """
    return of_model(_nrdr.Model.read(path))


def of_model(model: _nrdr.Model) -> SpectralEmbedder:
    """An estimator that has a model."""
    held, facts, names, columns = model.held()
    held = json.loads(held)
    estimator = class_of(held["method"]["name"])(**_parameters(held))
    estimator._become(model, json.loads(facts) if facts else _known(held))
    estimator.n_features_in_ = columns
    if names is not None:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    return estimator


def _parameters(held: dict[str, Any]) -> dict[str, Any]:
    """What the estimator is made with."""
    method, strategy = held["method"], held["strategy"]
    given = {
        "n_components": held["dims"],
        "n_neighbors": held["neighbors"],
        "strategy": strategy["name"],
        **strategy["parameters"],
        **method["parameters"],
        **named(held["metric"]),
    }
    known = {field.name for field in fields(class_of(method["name"]))}
    if held["takes"] == "distances":
        given |= next({name: value} for name, value in DISTANCES.items() if name in known)
    return {name: value for name, value in given.items() if name in known}


def _known(held: dict[str, Any]) -> dict[str, Any]:
    """What a file tells of a fit that nothing more is known of."""
    return {
        "method": held["method"]["name"],
        "strategy": held["strategy"]["name"],
        "n": held["n"],
        "dims": held["dims"],
        "eigenvalues": held["eigenvalues"],
        "warnings": [],
    }
