"""The points that are embedded, as files of little-endian f64, row after row.

Everything is written piece by piece: a child process starts with the peak memory of its parent.
"""

from __future__ import annotations

import array
import math
import random
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from environment import DATA

IMAGE = 28 * 28
IDX_HEADER = 16


HEIGHT = 21
"""Of a Swiss roll, unless said otherwise."""


def swiss_roll(n: int, noise: float = 0, height: float = HEIGHT) -> Path:
    """A Swiss roll (t cos t, y, t sin t), t in [1.5 pi, 4.5 pi], y in [0, height]."""
    name = f"swiss-roll-{n}-{noise}" if noise else f"swiss-roll-{n}"
    name = name if height == HEIGHT else f"{name}-height-{height}"
    return written(DATA / f"{name}.f64", roll(n, noise, height))


def roll(n: int, noise: float, height: float) -> Iterator[list[float]]:
    """The points of the roll, with normal noise of so much deviation, the same every time."""
    source = random.Random(n)
    for _ in range(n):
        t = 1.5 * math.pi * (1 + 2 * source.random())
        point = [t * math.cos(t), height * source.random(), t * math.sin(t)]
        yield [v + noise * source.gauss(0, 1) for v in point] if noise else point


def cube(n: int, dimension: int) -> Path:
    """Points that fill a cube evenly, the same every time."""
    source = random.Random(n)
    rows = ([source.random() for _ in range(dimension)] for _ in range(n))
    return written(DATA / f"cube-{dimension}-{n}.f64", rows)


def mnist(images: Path, n: int, more: Path | None = None) -> Path:
    """The first `n` images of an IDX file, or of two, scaled to [0, 1]."""
    files = [images] if more is None else [images, more]
    return written(DATA / f"mnist-{n}.f64", islice(pixels(files), n))


def pixels(files: list[Path]) -> Iterator[list[float]]:
    """The pixels of each image."""
    for images in files:
        with images.open("rb") as file:
            file.seek(IDX_HEADER)
            while image := file.read(IMAGE):
                yield [byte / 255 for byte in image]


def written(path: Path, rows: Iterator[list[float]]) -> Path:
    """Writes the rows unless they are there; a file with the final name is complete."""
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        for row in rows:
            values = array.array("d", row)
            if sys.byteorder == "big":
                values.byteswap()
            file.write(values.tobytes())
    return part.rename(path)
