"""What is measured of a fit, and what Jupyter shows of it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _html, _nrdr
from ._explain import invented, meanings
from ._redundancy import Measured, measure, rows_there
from ._threads import threads_of


class Measures:
    """Redundancy, quality and report of an estimator, measured when they are first asked for."""

    embedding_: np.ndarray
    n_jobs: int | None
    _facts: dict[str, Any]
    _measured: dict[str, Any]
    _notes: list[str]
    _original: tuple[np.ndarray, dict[str, Any]] | None
    _sample: tuple[np.ndarray, np.ndarray] | None
    _seed: int

    def __sklearn_is_fitted__(self) -> bool:
        """Whether a fit was successful."""
        return hasattr(self, "eigenvalues_")

    @property
    def redundancy_(self) -> np.ndarray:
        """The error of predicting each coordinate from the earlier ones."""
        return np.array(self._redundancy("embedding").errors)

    @property
    def quality_(self) -> dict[str, Any] | None:
        """Whether neighbours stayed neighbours, and whether they do in the original."""
        check_is_fitted(self)
        return self._quality(self._qualities())

    @property
    def explain_(self) -> list[dict[str, Any]] | None:
        """What each coordinate tells of the columns of X."""
        check_is_fitted(self)
        return self._meaning("embedding")

    def _meaning(self, which: str) -> list[dict[str, Any]] | None:
        """Looked at when it is first asked for, on the sample of the points that is kept."""
        if self._sample is None:
            return None
        key = f"meaning of {which}"
        if key not in self._measured:
            rows, points = self._sample
            names = [str(name) for name in getattr(self, "feature_names_in_", invented(points))]
            table = rows_there(self._table(which))[rows]
            threads = threads_of(self.n_jobs)
            self._measured[key] = meanings(table, (points, names), [], self._seed, threads)
        return self._measured[key]

    def _quality(self, found: dict[str, Any]) -> dict[str, Any] | None:
        """The quality of the embedding with that of the original in it."""
        ours = found.get("embedding")
        return None if ours is None else {**ours, "original": found.get("original")}

    @property
    def report_(self) -> dict[str, Any]:
        """All that is known of the fit."""
        check_is_fitted(self)
        report = self._with_measures("embedding", self._facts)
        report |= {"notes": self._notes, "verdict": self._verdict()}
        if self._original is not None:
            report["original"] = self._with_measures("original", self._original[1])
        return report

    def _with_measures(self, which: str, facts: dict[str, Any]) -> dict[str, Any]:
        found = self._redundancy(which).found
        quality, meaning = self._qualities().get(which), self._meaning(which)
        return {**facts, "redundancy": found, "quality": quality, "meaning": meaning or []}

    def _table(self, which: str) -> Any:
        """The coordinates: of the embedding, or of the original, if that is another."""
        check_is_fitted(self)
        if which == "embedding":
            return self.embedding_
        return None if self._original is None else self._original[0]

    def _redundancy(self, which: str) -> Measured:
        """Measured when it is first asked for."""
        table = self._table(which)
        if which not in self._measured:
            threads = threads_of(self.n_jobs)
            self._measured[which] = measure(table, seed=self._seed, threads=threads)
        return self._measured[which]

    def _qualities(self, codes: np.ndarray | None = None) -> dict[str, Any]:
        """Of the embedding and the original, measured together when first asked for.

        Codes are labels of the points. Empty where there are no points.
        """
        if codes is None and "quality" in self._measured:
            return self._measured["quality"]
        tables = {which: self._table(which) for which in ("embedding", "original")}
        tables = {which: table for which, table in tables.items() if table is not None}
        if self._sample is None:
            return {}
        left_out = np.isnan(self.embedding_).all(axis=1)
        labels = None if codes is None else codes[~left_out].tolist()
        rows, points = self._sample
        there = [rows_there(table) for table in tables.values()]
        metric = self._facts.get("metric") or "euclidean"
        told = _nrdr.qualities(rows, points, there, labels, threads_of(self.n_jobs), metric)
        found = dict(zip(tables, json.loads(told), strict=True))
        if codes is None:
            self._measured["quality"] = found
        return found

    def _verdict(self, found: dict[str, Any] | None = None) -> str:
        """What was measured, in sentences; of qualities, if others were found with labels."""
        original = None if self._original is None else self._redundancy("original")
        text = self._redundancy("embedding").verdict(original)
        found = self._qualities() if found is None else found
        if found.get("embedding") is None:
            return text
        ours, theirs = (found.get(which) for which in ("embedding", "original"))
        beside = None if theirs is None else json.dumps(theirs)
        return f"{text} {_nrdr.kept(json.dumps(ours), beside)}"

    def _repr_html_(self) -> str:
        """What Jupyter shows."""
        fitted = self.__sklearn_is_fitted__()
        return _html.of_fit(self) if fitted else f"<pre>{_html.escape(repr(self))}</pre>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """The same, for those who ask this way."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
