"""Fitted estimators that are written to a file, and made of one."""

from __future__ import annotations

import json
from os import PathLike
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _nrdr
from ._arguments import seed_of


class Portable:
    """What can be a model file, the command line's."""

    random_state: Any
    _model: _nrdr.Model | None
    _why: str | None
    _original: Any
    _sample: Any
    _notes: list[str]

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the model that ``nrdr.load`` and the command line's ``nrdr transform`` read.

        It is the file that the command line's ``--model`` writes, and is there whole or, on any
        error, as it was before. Of a pipeline save the last step: what the steps before it do is
        not part of the file.

        Parameters
        ----------
        path : path-like
            The file.
        """
        check_is_fitted(self)
        if self._model is None:
            raise ValueError(self._why)
        _nrdr.write(path, self._model.to_bytes())

    @property
    def preparation_(self) -> dict[str, Any]:
        """What is done to the columns first: ``standardize``, and how many components ``pca`` has.

        Only models of the command line do something. ``impute`` tells how ``nrdr transform`` fills
        missing values; here they are an error, as everywhere in scikit-learn but its imputers.
        """
        check_is_fitted(self)
        held = {} if self._model is None else json.loads(self._model.held()[0])
        standardize, pca = held.get("standardize", False), held.get("pca")
        return {"impute": held.get("impute"), "standardize": standardize, "pca": pca}

    def _become(self, model: _nrdr.Model, facts: dict[str, Any]) -> None:
        """Turns into what was fitted when a file was written."""
        embedding = model.embedding()
        if embedding is not None:
            self.embedding_ = embedding
        self._model, self._why, self._original, self._sample = model, None, None, None
        self._seed, self._notes = seed_of(self.random_state), []
        self._take(facts)

    def _take(self, facts: dict[str, Any]) -> None:
        """What is known of a fit; files of the library alone do not tell all of it."""
        self._facts = facts
        named = {"eigenvalues": "eigenvalues_", "lengths": "lengths_", "alpha": "alpha_"}
        for name, attribute in {**named, "residual": "residuals_"}.items():
            if name in facts:
                setattr(self, attribute, np.array(facts[name], dtype=float))
        if "iterations" in facts:
            self.n_iter_ = max(1, *facts["iterations"])
        #: What was measured so far.
        self._measured: dict[str, Any] = {}
