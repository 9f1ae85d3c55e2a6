"""New points that are a Dask collection: each chunk is embedded where it is.

Dask itself is needed only by who calls this: ``pip install nrdr[dask]``.
"""

from __future__ import annotations

import hashlib
import warnings
from functools import lru_cache
from os import PathLike
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _nrdr
from ._base import SpectralEmbedder
from ._frames import is_frame, kind_of, quoted
from ._models import load, of_model

__all__ = ["transform"]

#: Models that a worker keeps unpacked.
MOST_MODELS = 4


def transform(model: SpectralEmbedder | str | PathLike[str], X: Any) -> Any:
    """Returns the coordinates of new points, lazily: nothing is computed before ``compute``.

    Each chunk or partition is given to the estimator's own ``transform``, one thread each, and the
    coordinates have the same bits. The model travels to the workers as the bytes of its file: they
    need nrdr, and no disk that they share.

    Parameters
    ----------
    model : estimator or path-like
        A fitted estimator that has ``transform``, or the file of one: of ``save``, or of the
        command line's ``--model``.
    X : dask.array.Array or dask.dataframe.DataFrame
        New points with the columns of the fit. Chunks along the columns of an array are joined;
        sizes of chunks may be unknown. The columns of a frame are called as those of the fit, in
        their order, where these had names.

    Returns
    -------
    embedding : dask.array.Array or dask.dataframe.DataFrame
        The coordinates, in the chunks or partitions of the rows. A frame keeps the index; its
        columns are those of ``get_feature_names_out``.

    Examples
    --------
    >>> import dask.array
    >>> import nrdr
    >>> X, truth = nrdr.datasets.make_swiss_roll(500, height=10)
    >>> maps = nrdr.LaplacianEigenmaps(n_components=2).fit(X)
    >>> new = dask.array.from_array(X, chunks=(100, 3))
    >>> found = nrdr.dask.transform(maps, new)
    >>> found.chunks, bool((found.compute() == maps.transform(X)).all())
    (((100, 100, 100, 100, 100), (2,)), True)
    """
    estimator = _estimator(model)
    try:
        import dask.array
        from dask.base import is_dask_collection
    except ImportError as error:
        raise ImportError("Dask is not installed: pip install nrdr[dask]") from error
    if isinstance(X, dask.array.Array):
        return _of_array(estimator, X)
    # The frames of Dask need more than its arrays do.
    if is_frame(X) and is_dask_collection(X):
        return _of_frame(estimator, X)
    raise TypeError(
        f"X is a {type(X).__name__}, no array or frame of Dask: give one, or call the "
        "estimator's own transform"
    )


def _estimator(model: Any) -> SpectralEmbedder:
    """A fitted estimator that takes points."""
    if isinstance(model, (str, PathLike)):
        model = load(model)
    if not isinstance(model, SpectralEmbedder):
        raise TypeError(
            f"model is a {type(model).__name__}: give a fitted estimator of nrdr, or the path of a "
            "saved model"
        )
    check_is_fitted(model)
    if model._model is None:
        raise ValueError(model._why)
    if model._kind() != "points":
        raise ValueError(
            f"the model takes {model._kind()}, not points: their columns are the points of the "
            "fit, which a chunk of rows does not tell"
        )
    return model


class _Packed:
    """A model as the bytes of its file, unpacked once in each worker."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.sum = hashlib.sha256(content).hexdigest()

    def __dask_tokenize__(self) -> tuple[str, str]:
        """The same model is the same task."""
        return ("nrdr-model", self.sum)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same model."""
        return isinstance(other, _Packed) and other.sum == self.sum

    def __hash__(self) -> int:
        """By its content."""
        return hash(self.sum)


@lru_cache(MOST_MODELS)
def _unpacked(packed: _Packed) -> SpectralEmbedder:
    """The estimator of a model; Dask has its own threads."""
    estimator = of_model(_nrdr.Model.from_bytes(packed.content))
    estimator.n_jobs = 1
    # What columns are called is looked at before the chunks are.
    if hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
    return estimator


def _packed(estimator: SpectralEmbedder) -> Any:
    """The model of an estimator as a task of its own, which chunks share."""
    from dask.delayed import delayed

    assert estimator._model is not None
    return delayed(_Packed(estimator._model.to_bytes()), traverse=False, pure=True)


def _block(X: np.ndarray, packed: _Packed, dims: int, number: Any) -> np.ndarray:
    """The coordinates of some rows; there may be none."""
    if X.shape[0] == 0:
        return np.empty((0, dims), dtype=number)
    return _unpacked(packed).transform(np.asarray(X, dtype=number))


def _part(X: Any, packed: _Packed, names: list[str], number: Any) -> Any:
    """The same of some rows of a frame."""
    found = _block(X.to_numpy(dtype=number), packed, len(names), number)
    return type(X)(found, index=X.index, columns=names)


def _dtype(*given: Any) -> np.dtype[Any]:
    """What coordinates are: float32 where all columns are, as of the estimator's own transform."""
    is_short = all(dtype == np.float32 for dtype in given)
    return np.dtype(np.float32 if is_short else np.float64)


def _of_array(estimator: SpectralEmbedder, X: Any) -> Any:
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimension(s): it must have two, a row for each point")
    if np.isnan(X.shape[1]):
        raise ValueError(
            "nobody knows how many columns X has: tell Dask with X.compute_chunk_sizes()"
        )
    _check_count(estimator, int(X.shape[1]))
    if X.dtype.kind not in "biuf":
        raise ValueError(f"X is of type {X.dtype}, not numbers: X.astype(float)")
    if hasattr(estimator, "feature_names_in_"):
        warnings.warn(
            "X does not have valid feature names, but the model was fitted with feature names",
            UserWarning,
            stacklevel=3,
        )
    if len(X.chunks[1]) > 1:
        X = X.rechunk({1: -1})
    dtype, dims = _dtype(X.dtype), estimator._n_features_out
    return X.map_blocks(
        _block,
        _packed(estimator),
        dims=dims,
        number=dtype,
        chunks=(X.chunks[0], (dims,)),
        meta=np.empty((0, 0), dtype=dtype),
    )


def _of_frame(estimator: SpectralEmbedder, X: Any) -> Any:
    wanted = getattr(estimator, "feature_names_in_", None)
    given = list(X.columns)
    if wanted is not None and given != list(wanted):
        absent = [name for name in wanted if name not in given]
        what = "are in another order, or more"
        if absent:
            what = f"lack {', '.join(map(quoted, absent))}"
        raise ValueError(
            f"the columns of X {what}: they must be those of the fit, X[model.feature_names_in_]"
        )
    _check_count(estimator, len(given))
    for name, dtype in zip(given, X.dtypes):
        kind = kind_of(dtype)
        if kind != "numbers":
            raise ValueError(f"column {quoted(name)} of X holds {kind}: leave it out or encode it")
    names = [str(name) for name in estimator.get_feature_names_out()]
    dtype = _dtype(*X.dtypes)
    empty = X._meta
    meta = type(empty)(np.empty((0, len(names)), dtype=dtype), index=empty.index[:0], columns=names)
    return X.map_partitions(_part, _packed(estimator), names=names, number=dtype, meta=meta)


def _check_count(estimator: SpectralEmbedder, columns: int) -> None:
    expected = estimator.n_features_in_
    if columns != expected:
        raise ValueError(
            f"X has {columns} columns, and the model takes {expected}: give those of the fit"
        )
