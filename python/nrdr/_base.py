"""What all estimators share: validation, fit, transform, attributes, display."""

from __future__ import annotations

import json
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields
from numbers import Integral
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_array
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _nrdr
from ._arguments import seed_of, solver_of
from ._docs import ATTRIBUTES, COMMON, METRIC
from ._frames import check_numbers, is_frame
from ._input import Input, with_short_indices
from ._inverse import local_regression
from ._measures import Measures
from ._portable import Portable
from ._progress import Progress
from ._threads import threads_of
from .typing import Auto, Components, EigenSolver, Search, Seed, Smoother, Strategy

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")

#: What has no negative values.
POSITIVE = ("distances", "affinities")

#: Neighbours that an inverse transform looks at for each coordinate, beside one.
AROUND = 6


@dataclass(eq=False, repr=False)
class SpectralEmbedder(
    Measures, Portable, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
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
        texts = {"<common>": COMMON, "<attributes>": ATTRIBUTES, "<metric>": METRIC}
        for mark, text in texts.items():
            text = textwrap.indent(text, "    ").strip()
            cls.__doc__ = (cls.__doc__ or "").replace(mark, text)

    def _kind(self) -> str:
        """What X is: points, distances, affinities or a matrix."""
        return "points"

    def _parameters(self, seed: int | None = None) -> dict[str, Any]:
        """The parameters as the core takes them; a random state is drawn from without a seed."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        seed = seed_of(self.random_state) if seed is None else seed
        threads = threads_of(self.n_jobs)
        own |= {"eigen_solver": solver_of(self.eigen_solver)[0]}
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
            given = self._input(self._validated(X, reset=True))
            names = self._names_of(given)
        finally:
            # A plan leaves no trace.
            self.__dict__.clear()
            self.__dict__.update(before)
        parameters = {**self._parameters(), **given.parameters}
        told, instead = _nrdr.plan(given.parts, given.kind, given.method, parameters, names)
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
        X = self._validated(X, reset=False)
        data, names = self._new_points(X), self._names()
        threads, model = threads_of(self.n_jobs), self._model
        found = self._with_progress(lambda told: model.transform(data, threads, told, names))
        return found.astype(X.dtype, copy=False)

    def inverse_transform(self, Y: Any) -> np.ndarray:
        """Returns points that have the coordinates ``Y``, approximately.

        A coordinate does not tell a point: what comes out is what a local linear regression of the
        points of the fit on their coordinates says.

        Parameters
        ----------
        Y : array-like of shape (n_new, n_components)
            Coordinates, scaled as those of the fit.

        Returns
        -------
        X : ndarray of shape (n_new, n_features)
            The points.
        """
        check_is_fitted(self)
        Y = check_array(Y, dtype=(np.float64, np.float32))
        if Y.shape[1] != self._n_features_out:
            raise ValueError(
                f"Y has {Y.shape[1]} columns: it must have {self._n_features_out}, one for each "
                "coordinate"
            )
        trained = self._trained()
        if trained is None:
            raise ValueError("the points of the fit are not kept")
        points, values = trained
        return self._inverted(points, values, Y.astype(float)).astype(Y.dtype, copy=False)

    def _inverted(self, points: np.ndarray, values: np.ndarray, Y: np.ndarray) -> np.ndarray:
        """Points of coordinates, by those that are known."""
        return local_regression(points, values, Y, AROUND * (Y.shape[1] + 1))

    def _trained(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The points of the fit, and the coordinates of each, if they are known."""
        done = self.preparation_
        if self._model is None or done["standardize"] or done["pca"]:
            # A model of the command line has other columns than the points had.
            return None
        return self._model.training()

    def _input(self, X: Any) -> Input:
        """What the core is given for valid X."""
        kind = self._kind()
        changed = self._reduced(X.shape[0]) if kind == "points" else ({}, [])
        return Input(X, kind, self._core(), *changed)

    def _new_points(self, X: Any) -> Any:
        """What the core is given for valid new points."""
        return X

    def _no_new_points(self) -> str | None:
        """Why there is no transform, if that is known before a fit."""
        return _nrdr.inextensible(self._core(), self._parameters(seed=0))

    def _reduced(self, points: int) -> tuple[dict[str, Any], list[str]]:
        """The number of neighbours that points can have, if it is another; and a warning."""
        wanted, most = self.n_neighbors, points - 1
        if not isinstance(wanted, Integral) or wanted <= most:
            return {}, []
        text = f"n_neighbors = {wanted} is reduced to {most}: there are only {points} points"
        return {"n_neighbors": most}, [text]

    def _fit(self, X: Any, checkpoint: str | PathLike[str] | None, callers: int) -> Self:
        """Embeds; warnings point at the line so many callers away."""
        before = dict(self.__dict__)
        try:
            X = self._validated(X, reset=True)
            given = self._input(X)
            parameters = {**self._parameters(), **given.parameters, "checkpoint": checkpoint}
            names = self._names_of(given)
            found = self._with_progress(
                lambda told: _nrdr.fit(
                    given.parts, given.kind, given.method, parameters, told, names
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
        self.embedding_ = self.embedding_.astype(X.dtype, copy=False)
        #: The original method's coordinates, and what is known of them, unless the strategy is its.
        self._original = original and (original[0], json.loads(original[1]))
        self._take(json.loads(facts))
        self._seed = parameters["seed"]
        #: What is to be known of the table; what misleads is a warning, too.
        self._notes = [*notes, *solver_of(self.eigen_solver)[1]]
        self._facts["warnings"] = [*given.warnings, *self._facts["warnings"]]
        for convergence, text in [*((False, text) for text in given.warnings), *told]:
            kind = ConvergenceWarning if convergence else UserWarning
            warnings.warn(text, kind, stacklevel=callers + 1)
        return self

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def _validated(self, X: Any, *, reset: bool) -> Any:
        """X as an array or a sparse matrix in rows."""
        pairs = self._kind() != "points"
        if is_frame(X):
            check_numbers(X)
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr" if self._takes_sparse(reset) else False,
            dtype=(np.float64, np.float32),
            # Of points the core tells which value it is.
            ensure_all_finite=not self._core_takes(X),
            ensure_non_negative=self._kind() in POSITIVE,
            ensure_min_samples=2 if reset else 1,
        )
        if pairs and reset and X.shape[0] != X.shape[1]:
            rows, columns = X.shape
            raise ValueError(f"X has {rows} rows and {columns} columns: it must be a square matrix")
        # What comes out of a message of Dask lies anywhere; the core takes only what is aligned.
        return with_short_indices(X) if issparse(X) else np.require(X, requirements="A")

    def _takes_sparse(self, reset: bool) -> bool:
        """Whether X may be sparse, in a fit or as new points."""
        return reset and self._kind() != "points"

    def _core_takes(self, X: Any) -> bool:
        """Whether the core gets these points as they are."""
        return self._kind() == "points"

    def _names(self) -> list[str]:
        """The names of the columns, if they have some."""
        return list(getattr(self, "feature_names_in_", ()))

    def _names_of(self, given: Input) -> list[str]:
        """Those of the columns that the core is given; a graph or a kernel made here has others."""
        return self._names() if given.kind == self._kind() else []

    def _with_progress(self, work: Callable[[Progress | None], T]) -> T:
        if not self.verbose:
            return work(None)
        with Progress(type(self).__name__) as progress:
            return work(progress)

    def __sklearn_tags__(self) -> Tags:
        """What scikit-learn may expect."""
        tags = super().__sklearn_tags__()
        try:
            kind, sparse = self._kind(), self._takes_sparse(True)
        except ValueError:
            # `fit` will tell; until then the estimator can be shown.
            kind, sparse = "points", False
        tags.input_tags.pairwise = kind != "points"
        tags.input_tags.sparse = sparse
        tags.input_tags.positive_only = kind in POSITIVE
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def extends(estimator: SpectralEmbedder) -> bool:
    """Whether an estimator has coordinates of new points; the cause of the error is why not."""
    if hasattr(estimator, "_model"):
        why = None if estimator._model is not None else estimator._why
    else:
        try:
            why = estimator._no_new_points()
        except (TypeError, ValueError):
            # A wrong parameter: `fit` will tell.
            why = None
    if why is not None:
        raise AttributeError(why)
    return True


def inverts(estimator: SpectralEmbedder) -> bool:
    """Whether an estimator has points to go back to."""
    if not hasattr(estimator, "_model"):
        return estimator._kind() == "points"
    return estimator._model is not None and estimator._trained() is not None


# Here, since scikit-learn wraps the methods that a class has when it is made, and shows wrappers.
for hidden, check in (("transform", extends), ("inverse_transform", inverts)):
    method = getattr(SpectralEmbedder, hidden)
    setattr(SpectralEmbedder, hidden, available_if(check)(method))
