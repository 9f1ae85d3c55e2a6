"""The page that the command line writes as its report."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import check_is_fitted

from . import _nrdr
from ._base import SpectralEmbedder
from ._redundancy import measure

#: Numbers with more different values than this are shown as numbers, not as labels.
MOST_LABELS = 50


def report(
    fitted: Any,
    path: str | os.PathLike[str],
    X: Any = None,
    y: Any = None,
    *,
    images: tuple[int, int] | None = None,
    title: str | None = None,
) -> Path:
    """Writes a page about an embedding: one HTML file that opens without a network.

    Parameters
    ----------
    fitted : fitted estimator of nrdr, or array-like of shape (n_samples, n_components)
        What is shown.
    path : path-like
        The file.
    X : array-like of shape (n_samples, n_features), optional
        What the estimator was fitted to. Then the original method is shown beside it, and points
        can be coloured by the columns.
    y : array-like of shape (n_samples,), optional
        Labels or numbers to colour the points by.
    images : (width, height), optional
        Each row of ``X`` is a picture of this size: the page shows it.
    title : str, optional
        What the page is called.

    Returns
    -------
    path : pathlib.Path
        The file.

    Examples
    --------
    >>> import tempfile, nrdr
    >>> X, truth = nrdr.datasets.make_swiss_roll(300)
    >>> fitted = nrdr.LaplacianEigenmaps().fit(X)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = nrdr.report(fitted, folder + "/report.html", X, y=truth[:, 1])
    ...     page.stat().st_size > 10_000
    True
    """
    if isinstance(fitted, SpectralEmbedder):
        check_is_fitted(fitted)
    embedded = getattr(fitted, "embedding_", fitted)
    check_consistent_length(embedded, *(given for given in (X, y) if given is not None))
    if isinstance(fitted, SpectralEmbedder):
        shown, verdict = of_estimator(fitted, X)
        title = type(fitted).__name__ if title is None else title
        command, config, seed = repr(fitted), plain(fitted.get_params()), fitted._seed
    else:
        shown, verdict = of_array(fitted)
        command, config, seed = "", {}, 0
    label, truth = colours(y)
    parts = {
        "title": "Embedding" if title is None else title,
        "command": command,
        "config": json.dumps(config),
        "verdict": verdict,
        "shown": [(table, json.dumps(facts)) for table, facts in shown],
        "given": None if X is None else table_of(X),
        "truth": truth,
        "label": label,
        "images": images,
        "notes": [],
        "seed": seed,
    }
    return write(Path(path), _nrdr.page(parts))


def of_estimator(fitted: SpectralEmbedder, X: Any) -> tuple[list[Any], str]:
    """The embedding, after the original one if there is something to make it from; the verdict."""
    ours = fitted.report_
    shown = [(fitted.embedding_, ours)]
    if X is None or ours["strategy"] == "orthogonal":
        return shown, ours["verdict"]
    dims = fitted.embedding_.shape[1]
    original = clone(fitted).set_params(strategy="orthogonal", n_components=dims).fit(X)
    shown.insert(0, (original.embedding_, original.report_))
    errors = fitted.redundancy_.tolist()
    return shown, _nrdr.verdict(ours["strategy"], dims, errors, original.redundancy_.tolist())


def of_array(embedding: Any) -> tuple[list[Any], str]:
    """An embedding from elsewhere."""
    table = check_array(embedding, dtype=np.float64, ensure_all_finite="allow-nan")
    measured = measure(table)
    errors = [1.0] if measured is None else measured["errors"]
    verdict = _nrdr.verdict("embedding", table.shape[1], errors)
    return [(table, {"strategy": "embedding", "redundancy": measured})], verdict


def table_of(X: Any) -> tuple[np.ndarray, list[str]]:
    """The columns and their names."""
    table = check_array(X, dtype=(np.float64, np.float32), ensure_all_finite=False)
    names = getattr(X, "columns", None)
    numbered = (f"x{c + 1}" for c in range(table.shape[1]))
    return table, list(numbered) if names is None else [str(name) for name in names]


def colours(y: Any) -> tuple[Any, Any]:
    """Labels as the page takes them, or else numbers as a column."""
    if y is None:
        return None, None
    values = np.asarray(y).ravel()
    name = str(getattr(y, "name", None) or "y")
    distinct, codes = np.unique(values, return_inverse=True)
    if np.issubdtype(values.dtype, np.floating) and len(distinct) > MOST_LABELS:
        return None, (values.astype(np.float64).reshape(-1, 1), [name])
    return (name, [str(value) for value in distinct], codes.ravel().tolist()), None


def plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters as JSON has them."""
    known = (str, int, float, bool, type(None))
    return {k: v if isinstance(v, known) else repr(v) for k, v in parameters.items()}


def write(path: Path, text: str) -> Path:
    """Writes a file so that it is there whole or as it was before."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".nrdr-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    return path
