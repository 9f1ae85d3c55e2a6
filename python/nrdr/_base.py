"""What all estimators share: validation, fit, transform, attributes, display."""

from __future__ import annotations

import json
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _html, _nrdr
from ._arguments import seed_of
from ._frames import check_numbers, is_frame
from ._portable import Portable
from ._progress import Progress
from ._redundancy import Measured, measure, rows_there
from ._threads import threads_of
from .typing import Auto, Components, EigenSolver, Search, Seed, Smoother, Strategy

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")

#: What has no negative values.
POSITIVE = ("distances", "affinities")

COMMON = """\
strategy : {"priced", "unpredictable", "orthogonal", "selection", "independent", "regression", \
"advection"}
    What a coordinate owes to the earlier ones. "priced", the default, asks for coordinates that are
    as unpredictable from them as it pays; "unpredictable" that none can be predicted, at any price
    (Blau & Michaeli 2017); "orthogonal" is the original method.
mu : float, optional
    For the strategy "priced": what a function that the earlier coordinates predict entirely is
    charged, in units of the energy that the method minimises. By default the price whose coordinate
    tells most.
pool : int, optional
    For "priced": eigenvectors that the least localised combination is taken from.
thrift : float, optional
    For "priced": the larger, the less an even spread over the points may cost.
depth : int, optional
    For "priced": original eigenvectors that coordinates are made of, 48 by default.
alpha : float or "auto", default="auto"
    Width of the smoother that predicts, beside the spread of the earlier coordinates.
smoother : {"nw", "local-linear"}, default="nw"
    How it predicts: by the local mean or by a local linear fit.
candidates : int, optional
    Original coordinates that the strategies "selection" and "independent" select from; ten times
    as many as wanted by default.
zeta : float, optional
    For "independent": what a coordinate's energy costs, that of the first one being 1. By default
    the most that a quarter of the points object to.
intrinsic_dim : int, optional
    For "independent": dimension of the manifold, the number of coordinates by default.
search : {"auto", "exact", "approximate"}, default="auto"
    How neighbours are searched: "auto" is exact, or approximate where that is faster.
recall : float, default=0.95
    Least share of true neighbours that an approximate search has to find. If it does not, "auto"
    searches exactly, and "approximate" is an error.
components : {"connect", "largest", "error"}, default="connect"
    What happens when the neighbour graph falls apart. Rows outside the largest component are NaN.
eigen_solver : {"auto", "dense", "lanczos", "shift-invert", "multigrid"}, default="auto"
    How eigenvectors are computed.
tol : float, default=1e-8
    Relative residual at which an eigenvector counts as converged.
max_iter : int, default=5000
    Most iterations of the eigensolver.
random_state : int, RandomState or None, default=0
    Start of the random numbers, on which the result depends only within the tolerance. A number
    gives the bits that the command line gives for the same ``--seed``.
n_jobs : int or None, default=None
    Number of threads; -1 means all cores, and None as many as threadpoolctl and OMP_NUM_THREADS
    allow, all without these. The result does not depend on it.
memory : int, str or None, default=None
    Memory that a fit may take, the data included: bytes, or a size such as "8G". None means three
    quarters of what is available. What does not fit is refused with what would; ``plan`` tells.
verbose : bool, default=False
    Show progress, by tqdm if it is installed.
"""

ATTRIBUTES = """\
embedding_ : ndarray of shape (n_samples, n_components)
    The coordinates: each of unit length, its largest entry positive.
eigenvalues_ : ndarray of shape (n_components,)
    The eigenvalues.
lengths_ : ndarray of shape (n_components,)
    The lengths that the method traditionally gives the coordinates; multiply by them to get that
    scaling.
redundancy_ : ndarray of shape (n_components,)
    The error of predicting each coordinate from the earlier ones: 1 is new, 0 is redundant. NaN
    where it cannot be measured; ``report_["verdict"]`` says why.
quality_ : dict or None
    On a sample of the points: ``trustworthiness``, ``continuity`` and ``neighborhoods`` of 10
    neighbours (1 is best), ``accuracy`` of labels (None: ``fit`` has none), ``spikes`` (for each
    coordinate the share of its variance that 1 % of the points hold), and the same of the original
    method as ``original``, None if the strategy is its. None where ``X`` are no points.
alpha_ : ndarray of shape (n_components,)
    The width of the smoother used for each coordinate; NaN where there was none.
residuals_ : ndarray of shape (n_components,)
    Relative residual of each eigenvector.
n_iter_ : int
    The most iterations that a coordinate took.
report_ : dict
    All that is known of the fit, with the names that the command line's ``--json`` has.
n_features_in_ : int
    Number of columns of ``X``.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names, if ``X`` has names of strings.
"""


@dataclass(eq=False, repr=False)
class SpectralEmbedder(Portable, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A spectral method.

    A subclass names the method, adds its own parameters, and says what ``X`` is.
    """

    n_components: int | Auto = 2
    _: KW_ONLY
    n_neighbors: int = 10
    strategy: Strategy = "priced"
    mu: float | None = None
    pool: int | None = None
    thrift: float | None = None
    depth: int | None = None
    alpha: float | Auto = "auto"
    smoother: Smoother = "nw"
    candidates: int | None = None
    zeta: float | None = None
    intrinsic_dim: int | None = None
    search: Search = "auto"
    recall: float = 0.95
    components: Components = "connect"
    eigen_solver: EigenSolver = "auto"
    tol: float = 1e-8
    max_iter: int = 5000
    random_state: Seed = 0
    n_jobs: int | None = None
    memory: int | str | None = None
    verbose: bool = False

    _method: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Fills what all have in common into the documentation of the class."""
        super().__init_subclass__(**kwargs)
        for mark, text in (("<common>", COMMON), ("<attributes>", ATTRIBUTES)):
            text = textwrap.indent(text, "    ").strip()
            cls.__doc__ = (cls.__doc__ or "").replace(mark, text)

    def _kind(self) -> str:
        """What X is: points, distances, affinities or a matrix."""
        return "points"

    def _parameters(self) -> dict[str, Any]:
        """The parameters as the core takes them."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        seed, threads = seed_of(self.random_state), threads_of(self.n_jobs)
        return {**own, "seed": seed, "n_threads": threads, **self._matrix_parameters()}

    def _matrix_parameters(self) -> dict[str, Any]:
        """Those of a matrix of one's own."""
        return {}

    def _core(self) -> str:
        """The method that the core runs."""
        return self._method

    def fit(self, X: Any, y: Any = None, *, checkpoint: str | PathLike[str] | None = None) -> Self:
        """Embeds ``X``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The points; or, as the estimator was told, distances, affinities or a graph.
        y : None
            Ignored.
        checkpoint : path-like, optional
            A file that keeps what is finished. The same fit goes on from it, whenever it was
            ended, and has the same bits; that of another one raises a ValueError.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        return self._fit(X, checkpoint, callers=2)

    def fit_transform(
        self, X: Any, y: Any = None, *, checkpoint: str | PathLike[str] | None = None
    ) -> np.ndarray:
        """Embeds ``X`` and returns its coordinates.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            As in ``fit``.
        y : None
            Ignored.
        checkpoint : path-like, optional
            As in ``fit``.

        Returns
        -------
        embedding : ndarray of shape (n_samples, n_components)
            The coordinates.
        """
        # One more caller: scikit-learn's wrapper, which makes frames.
        return self._fit(X, checkpoint, callers=3).embedding_

    def plan(self, X: Any) -> dict[str, Any]:
        """Tells what a fit would take, without fitting.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            As in ``fit``.

        Returns
        -------
        plan : dict
            ``stages``, each with ``how`` and ``why``, the bytes that are there ``during`` it and
            ``after`` it, and its ``seconds``; ``peak``, the bytes at most, and ``memory``, those
            that the fit may take; whether it ``fits``, and ``instead``, what would. All of it is
            an estimate.
        """
        before = dict(self.__dict__)
        try:
            data, names = self._validated(X, reset=True), self._names()
        finally:
            # A plan leaves no trace.
            self.__dict__.clear()
            self.__dict__.update(before)
        told, instead = _nrdr.plan(data, self._kind(), self._core(), self._parameters(), names)
        return {**json.loads(told), "instead": instead}

    def transform(self, X: Any) -> np.ndarray:
        """Returns the coordinates of new points, scaled and signed like those of the fit.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New points; where the estimator was fitted to distances, their distances from the
            points of the fit.

        Returns
        -------
        embedding : ndarray of shape (n_new, n_components)
            The coordinates. A point of the fit has those it had there.
        """
        check_is_fitted(self)
        if self._model is None:
            raise ValueError(self._why)
        data = self._validated(X, reset=False)
        threads, model = threads_of(self.n_jobs), self._model
        return self._with_progress(lambda told: model.transform(data, threads, told, self._names()))

    def _fit(self, X: Any, checkpoint: str | PathLike[str] | None, callers: int) -> Self:
        """Embeds; warnings point at the line so many callers away."""
        before = dict(self.__dict__)
        try:
            data = self._validated(X, reset=True)
            parameters = {**self._parameters(), "checkpoint": checkpoint}
            found = self._with_progress(
                lambda told: _nrdr.fit(
                    data, self._kind(), self._core(), parameters, told, self._names()
                )
            )
        except BaseException:
            # What was fitted before is so still.
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        (self.embedding_, facts), original, told, self._model, self._why, self._sample, notes = (
            found
        )
        #: The original method's coordinates, and what is known of them, unless the strategy is its.
        self._original = original and (original[0], json.loads(original[1]))
        self._take(json.loads(facts))
        self._seed = parameters["seed"]
        #: What is to be known of the table; what misleads is a warning, too.
        self._notes = notes
        for convergence, text in told:
            kind = ConvergenceWarning if convergence else UserWarning
            warnings.warn(text, kind, stacklevel=callers + 1)
        return self

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
        return {**facts, "redundancy": found, "quality": self._qualities().get(which)}

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
        told = _nrdr.qualities(rows, points, there, labels, threads_of(self.n_jobs))
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

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def _validated(self, X: Any, *, reset: bool) -> Any:
        """X as the core takes it: an array, or the parts of a sparse matrix."""
        pairs = self._kind() != "points"
        if is_frame(X):
            check_numbers(X)
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr" if pairs and reset else False,
            dtype=(np.float64, np.float32),
            # Of points the core tells which value it is.
            ensure_all_finite=pairs,
            ensure_non_negative=self._kind() in POSITIVE,
            ensure_min_samples=2 if reset else 1,
        )
        if pairs and reset and X.shape[0] != X.shape[1]:
            rows, columns = X.shape
            raise ValueError(f"X has {rows} rows and {columns} columns: it must be a square matrix")
        if not issparse(X):
            return X
        return X.data, X.indices, X.indptr

    def _names(self) -> list[str]:
        """The names of the columns, if they have some."""
        return list(getattr(self, "feature_names_in_", ()))

    def _with_progress(self, work: Callable[[Progress | None], T]) -> T:
        if not self.verbose:
            return work(None)
        with Progress(type(self).__name__) as progress:
            return work(progress)

    def __sklearn_tags__(self) -> Tags:
        """What scikit-learn may expect."""
        tags = super().__sklearn_tags__()
        try:
            kind = self._kind()
        except ValueError:
            # `fit` will tell; until then the estimator can be shown.
            kind = "points"
        tags.input_tags.pairwise = tags.input_tags.sparse = kind != "points"
        tags.input_tags.positive_only = kind in POSITIVE
        return tags

    def _repr_html_(self) -> str:
        """What Jupyter shows."""
        fitted = self.__sklearn_is_fitted__()
        return _html.of_fit(self) if fitted else f"<pre>{_html.escape(repr(self))}</pre>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """The same, for those who ask this way."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
