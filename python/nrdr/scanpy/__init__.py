"""Beside scanpy's own tools: embeddings of what is in an AnnData object.

scanpy itself is not needed: whatever has ``obsm``, ``obsp``, ``uns`` and ``X`` will do.
"""

from ._diffmap import diffmap
from ._embed import embed

__all__ = ["diffmap", "embed"]
