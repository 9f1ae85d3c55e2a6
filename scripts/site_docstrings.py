"""Docstrings as readers see them: what all estimators have in common stands for its mark.

The package does that when it is imported (python/nrdr/_docs.py); the site reads it without.
"""

from __future__ import annotations

import importlib.util
import textwrap
from pathlib import Path

import griffe

PARTS = Path(__file__).resolve().parent.parent / "python" / "nrdr" / "_docs.py"


def parts() -> dict[str, str]:
    """What each mark stands for."""
    spec = importlib.util.spec_from_file_location("nrdr_docs", PARTS)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {f"<{name.lower()}>": text for name, text in vars(module).items() if name.isupper()}


def filled(text: str, marks: dict[str, str]) -> str:
    """The text with marks, each on a line of its own, replaced, and indented as they were."""
    lines = []
    for line in text.split("\n"):
        found = marks.get(line.strip())
        if found is None:
            lines.append(line)
        else:
            indent = line[: len(line) - len(line.lstrip())]
            lines.append(textwrap.indent(found.rstrip("\n"), indent))
    return "\n".join(lines)


class Marks(griffe.Extension):
    """Fills the marks of every class."""

    def __init__(self) -> None:
        super().__init__()
        self.marks = parts()

    def on_class_instance(self, *, cls: griffe.Class, **_: object) -> None:
        """Called for each class that was read."""
        if cls.docstring is not None:
            cls.docstring.value = filled(cls.docstring.value, self.marks)
