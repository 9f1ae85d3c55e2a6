"""Results that are kept on disk, so that a run that was interrupted goes on where it was."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

PIECE = 1 << 20
SHOWN = 16
"""Digits of a digest in a name."""


def digest(*parts: Path | str) -> str:
    """Of the contents of files, and of words."""
    found = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            found.update(part.encode())
        else:
            # Piece by piece: a child process starts with the peak memory of its parent.
            with part.open("rb") as file:
                while piece := file.read(PIECE):
                    found.update(piece)
        found.update(b"\0")
    return found.hexdigest()[:SHOWN]


def name(*words: object) -> str:
    """A name for a file that people can read."""
    return "-".join(re.sub(r"[^\w.]+", "-", str(word)) for word in words)


def load(path: Path) -> dict | None:
    """What was kept; None where nothing was."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def store(path: Path, value: dict) -> None:
    """Keeps a result: a file with the final name is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps(value), encoding="utf-8")
    part.rename(path)
