"""The class of each method of the catalogue."""

from __future__ import annotations

import json

from . import _estimators, _matrices, _nrdr
from ._base import SpectralEmbedder

#: By the name that the command line has for it.
CLASSES: dict[str, type[SpectralEmbedder]] = {
    entry["name"]: getattr(_estimators, entry["class"], None) or getattr(_matrices, entry["class"])
    for entry in json.loads(_nrdr.catalog())["methods"]
}


def class_of(method: str) -> type[SpectralEmbedder]:
    """The class of a method, or an error that names those there are."""
    if method not in CLASSES:
        raise ValueError(f"method = {method!r} is out of range: it must be {', '.join(CLASSES)}")
    return CLASSES[method]
