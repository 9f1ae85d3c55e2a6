"""Progress, by tqdm where it is installed."""

from __future__ import annotations

import sys
from typing import Any


class Progress:
    """Shows a stage of the work and how much of it is done.

    Parameters
    ----------
    name : str
        What is going on.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._stage = ""
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        self._bar = tqdm(
            total=1.0, desc=name, bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}"
        )

    def __call__(self, stage: str, fraction: float) -> None:
        """Tells that so much of a stage is done."""
        if self._bar is not None:
            self._bar.set_description(f"{self._name}: {stage}", refresh=False)
            self._bar.n = fraction
            self._bar.refresh()
        elif stage != self._stage:
            print(f"{self._name}: {stage}", file=sys.stderr)
        self._stage = stage

    def __enter__(self) -> Progress:
        """Begins."""
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        """Ends the bar: full, unless an error ended the work."""
        if self._bar is None:
            return
        if kind is None:
            self._bar.set_description(self._name, refresh=False)
            self._bar.n = self._bar.total
            self._bar.refresh()
        self._bar.close()
