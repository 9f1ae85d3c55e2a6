"""Tables in Markdown, and the page that keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from environment import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
TITLE = "# Benchmarks\n\nMeasured by `make bench`.\n"


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table whose columns are also aligned for those who read the source."""
    cells = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = [
        " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in cells
    ]
    lines.insert(1, " | ".join("-" * w for w in widths))
    return "\n".join(f"| {line} |" for line in lines)


def verdict(met: bool) -> str:
    """One word."""
    return "met" if met else "**missed**"


def thousands(n: int) -> str:
    """50 000"""
    return f"{n:,}".replace(",", " ")


def write(part: str, text: str, path: Path = PAGE) -> None:
    """Puts `text` between the markers of `part`; everything else on the page stays."""
    begin, end = f"<!-- begin:{part} -->", f"<!-- end:{part} -->"
    page = path.read_text(encoding="utf-8") if path.exists() else TITLE
    block = f"{begin}\n{text}\n{end}"
    before, found, rest = page.partition(begin)
    if found:
        _, closed, after = rest.partition(end)
        if not closed:
            raise ValueError(f"{path.name}: {begin} has no {end}")
        page = before + block + after
    else:
        page = f"{page.rstrip()}\n\n{block}\n"
    path.parent.mkdir(exist_ok=True)
    path.write_text(page, encoding="utf-8")
