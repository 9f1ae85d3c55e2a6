"""The page that the command line writes as its report."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, TypeAlias, overload

import numpy as np
from sklearn.utils import check_array, check_consistent_length

from . import _nrdr
from ._arguments import whole
from ._base import SpectralEmbedder
from ._explain import MOST_LABELS, knowns, labels_in, meanings, numbers_in, table_of
from ._given import Known, embedding_of, known
from ._redundancy import measure
from ._threads import threads_of

#: Columns whose names are made up mean something if they are not more than these.
FEW_COLUMNS = 20

Name: TypeAlias = str | os.PathLike[str]


class Page(str):
    """A page as text, which Jupyter shows in a frame of its own."""

    def __repr__(self) -> str:
        """How long it is: nobody would read it."""
        return f"<page of {len(self)} letters>"

    def _repr_html_(self) -> str:
        """What Jupyter shows. The page's script has no access to the notebook."""
        return (
            f'<iframe srcdoc="{escape(self)}" sandbox="allow-scripts allow-downloads" '
            'style="width:100%;height:720px;border:1px solid #888"></iframe>'
        )


@overload
def report(
    fitted: Any,
    path: None = None,
    X: Any = None,
    y: Any = None,
    *,
    ids: Any = None,
    images: tuple[int, int] | None = None,
    title: str | None = None,
) -> Page: ...
@overload
def report(
    fitted: Any,
    path: Name,
    X: Any = None,
    y: Any = None,
    *,
    ids: Any = None,
    images: tuple[int, int] | None = None,
    title: str | None = None,
) -> Path: ...
def report(
    fitted: Any,
    path: Name | None = None,
    X: Any = None,
    y: Any = None,
    *,
    ids: Any = None,
    images: tuple[int, int] | None = None,
    title: str | None = None,
) -> Path | Page:
    """Makes a page about an embedding: one HTML file that opens without a network.

    Parameters
    ----------
    fitted : fitted estimator of nrdr, or array-like of shape (n_samples, n_components)
        What is shown.
    path : path-like, optional
        The file to write; without it the page is returned, and Jupyter shows it. The file is there
        whole or, after an error, as it was before; a folder, a device, a pipe or a read-only file
        raises an OSError.
    X : array-like of shape (n_samples, n_features), optional
        What the estimator was fitted to. Then the original method is shown beside it, and points
        can be coloured by the columns.
    y : array-like of shape (n_samples,), or frame or dict of several, optional
        Labels or numbers to colour the points by; by the first labels neighbourhoods are judged.
        Points without a number are grey, those without a label have one of their own.
    ids : array-like of shape (n_samples,), optional
        What each point is called: the page shows and finds it.
    images : (width, height), optional
        Each row of ``X`` is a picture of this size: the page shows it.
    title : str, optional
        What the page is called.

    Returns
    -------
    report : pathlib.Path or str
        The file, or the page as HTML.

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
    return made(fitted, path, X, y, ids=ids, images=images, title=title)


def made(
    fitted: Any,
    path: Name | None,
    X: Any,
    y: Any,
    *,
    ids: Any = None,
    images: tuple[int, int] | None = None,
    title: str | None = None,
    command: str | None = None,
) -> Path | Page:
    """The same; the page says by what command it was made."""
    embedded = embedding_of(fitted)
    colours = [] if y is None else knowns(y, MOST_LABELS)
    named = None if ids is None else known(ids)
    lists = [one.codes for one in (*colours, named) if one is not None]
    check_consistent_length(embedded, *lists, *([] if X is None else [X]))
    given = None
    if X is not None and not (isinstance(fitted, SpectralEmbedder) and fitted._kind() != "points"):
        given = table_of(X)
    images = size_of(images, given)
    if path is not None:
        _nrdr.check_output(Path(path))
    if isinstance(fitted, SpectralEmbedder):
        shown, verdict = of_estimator(fitted, X, colours)
        title = type(fitted).__name__ if title is None else title
        command = written(fitted, path, X, y) if command is None else command
        config, seed = plain(fitted.get_params()), fitted._seed
    else:
        shown, verdict = of_array(embedded)
        config, seed = {}, 0
    told = given if images is None and given is not None and means(X, given[0]) else None
    threads = threads_of(getattr(fitted, "n_jobs", None))
    shown = [
        (table, {**facts, "meaning": meaning_of(table, told, colours, seed, threads)})
        for table, facts in shown
    ]
    parts = {
        "title": "Embedding" if title is None else title,
        "command": command or "",
        "config": json.dumps(config),
        "verdict": verdict,
        "shown": [(table, json.dumps(facts)) for table, facts in shown],
        "given": given,
        "images": images,
        "seed": seed,
        "numbers": numbers_in(colours),
        "labels": labels_in(colours),
        "ids": None if named is None else (named.name, named.labels, named.codes.tolist()),
    }
    page = _nrdr.page(parts)
    if path is None:
        return Page(page)
    _nrdr.write(Path(path), page.encode())
    return Path(path)


def written(fitted: SpectralEmbedder, path: Name | None, X: Any, y: Any) -> str:
    """The call as Python writes it."""
    file = [] if path is None else [repr(str(path))]
    named = [f"{name}={name}" for name, value in {"X": X, "y": y}.items() if value is not None]
    return f"nrdr.report({', '.join([f'nrdr.{fitted!r}.fit(X)', *file, *named])})"


def of_estimator(fitted: SpectralEmbedder, X: Any, y: list[Known]) -> tuple[list[Any], str]:
    """The embedding, after the original one if there is something to make it from; the verdict."""
    ours = dict(fitted.report_)
    shown = [(fitted.embedding_, ours)]
    if X is not None and fitted._original is not None:
        shown.insert(0, (fitted._original[0], dict(ours["original"])))
    labels = [one.codes for one in y if one.numbers is None]
    if not labels:
        return shown, ours["verdict"]
    found = fitted._qualities(labels[0])
    for (_, facts), which in zip(reversed(shown), ("embedding", "original")):
        facts["quality"] = found.get(which)
    return shown, fitted._verdict(found)


def of_array(embedding: Any) -> tuple[list[Any], str]:
    """An embedding from elsewhere."""
    table = check_array(embedding, dtype=np.float64, ensure_all_finite="allow-nan")
    measured = measure(table)
    facts = {"strategy": "embedding", "redundancy": measured.found}
    return [(table, facts)], measured.verdict()


def meaning_of(
    table: Any,
    columns: tuple[np.ndarray, list[str]] | None,
    y: list[Known],
    seed: int,
    threads: int | None,
) -> list[dict[str, Any]]:
    """What coordinates tell of what is known of the points, if something is."""
    if columns is None and not y:
        return []
    return meanings(np.asarray(table, dtype=np.float64), columns, y, seed, threads)


def means(X: Any, table: np.ndarray) -> bool:
    """Whether single columns mean something: they have names, or are few."""
    return hasattr(X, "columns") or table.shape[1] <= FEW_COLUMNS


def size_of(images: Any, given: tuple[np.ndarray, list[str]] | None) -> tuple[int, int] | None:
    """Width and height of pictures, if rows are these; a size that rows do not have is refused."""
    if images is None:
        return None
    if given is None:
        raise ValueError("images needs X: the points whose rows are pictures")
    if not isinstance(images, Sequence) or len(images) != 2:
        raise TypeError(f"images = {images!r} must be a width and a height")
    width, height = (whole("images", side) for side in images)
    columns = given[0].shape[1]
    if width * height != columns:
        raise ValueError(f"images = {images} has {width * height} pixels, but X {columns} columns")
    return width, height


def plain(parameters: dict[str, Any]) -> dict[str, str]:
    """Parameters as Python writes them, words without quotes."""
    return {k: v if isinstance(v, str) else repr(v) for k, v in parameters.items()}
