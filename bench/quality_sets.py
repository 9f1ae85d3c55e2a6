"""Writes the sets of the quality table, run by a Python with scikit-learn.

quality_sets.py DIR few|all IMAGES LABELS RENDERER [HEADS]

Points and what is known of them go to files of f64 (labels: u32) in DIR, and a list of them to
sets.json. `few` is one seed, without the large sets. IMAGES and LABELS are IDX files of MNIST;
without them (-) its sets are left out. RENDERER is the driver that renders heads, HEADS the file of
others' heads.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from scores import heads

SEEDS = 5
HEADS = 698
HEADS_NEIGHBORS = 8
IDX = {"images": 16, "labels": 8}
Set = tuple[str, int, np.ndarray, np.ndarray, bool, int]
"""Family, seed, points, what is known, whether that are labels, neighbours."""


def roll(n: int, height: float, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A Swiss roll with its two parameters."""
    random = np.random.default_rng(seed)
    t, y = 1.5 * np.pi * (1 + 2 * random.random(n)), height * random.random(n)
    points = np.c_[t * np.cos(t), y, t * np.sin(t)] + noise * random.standard_normal((n, 3))
    return points, y[:, None]


def torus(n: int, minor: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A ring of radius 10; its inner angle as cosine and sine."""
    random = np.random.default_rng(seed)
    a, b = 2 * np.pi * random.random((2, n))
    reach = 10 + minor * np.cos(b)
    points = np.c_[reach * np.cos(a), reach * np.sin(a), minor * np.sin(b)]
    return points, np.c_[np.cos(b), np.sin(b)]


def manifolds(seeds: range) -> Iterator[Set]:
    """Sets whose parameters are known."""
    for seed in seeds:
        for height, noise, n in ((21, 0, 2000), (10, 0, 2000), (8, 0.3, 1000), (4, 0, 2000)):
            name = f"roll, height {height}" + (", noise" if noise else "")
            yield (name, seed, *roll(n, height, noise, seed), False, 10)
        for minor in (4, 3):
            yield (f"torus, radii 10 and {minor}", seed, *torus(3000, minor, seed), False, 10)
        for aspect in (2.5, 10):
            points = np.random.default_rng(seed).random((1500, 2)) * [aspect, 1]
            yield (f"strip {aspect:g} : 1", seed, points, points[:, 1:], False, 10)


def most_of(n: int, seed: int) -> np.ndarray:
    """Nine tenths of so many rows."""
    return np.random.default_rng(seed).permutation(n)[: n * 9 // 10]


def tables(seeds: range) -> Iterator[Set]:
    """Sets with labels that come with scikit-learn: nine tenths of the rows, drawn anew."""
    loaders = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
    for name, loader in {"8 x 8 digits": load_digits, **loaders}.items():
        data = loader()
        for seed in seeds:
            rows = most_of(len(data.data), seed)
            points, labels = data.data[rows], data.target[rows]
            yield (name, seed, points, labels, True, 10)
            if name in loaders:
                scaled = (points - points.mean(axis=0)) / points.std(axis=0)
                yield (f"{name}, standardised", seed, scaled, labels, True, 10)


def mnist(images: str, labels: str, seeds: range, large: bool) -> Iterator[Set]:
    """Subsets of MNIST, one of them with classes ten times as frequent as others."""
    pixels = np.frombuffer(Path(images).read_bytes()[IDX["images"] :], dtype=np.uint8)
    pixels = pixels.reshape(-1, 784)
    digits = np.frombuffer(Path(labels).read_bytes()[IDX["labels"] :], dtype=np.uint8)
    for seed in seeds:
        random = np.random.default_rng(seed)
        order = random.permutation(len(digits))
        rare = (digits[order] >= 5) & (random.random(len(order)) > 0.1)
        sets = {"MNIST, 3 000": order[:3000], "MNIST, 10 : 1": order[~rare][:3000]}
        if large:
            sets["MNIST, 15 000"] = order[:15000]
        for name, rows in sets.items():
            yield (name, seed, pixels[rows] / 255, digits[rows], True, 10)


def rendered(renderer: str, directory: Path, seeds: range) -> Iterator[Set]:
    """Heads of our own; their tilt is known."""
    images, poses = directory / "heads.f64", directory / "poses.f64"
    for seed in seeds:
        command = [renderer, str(HEADS), str(seed), str(images), str(poses)]
        subprocess.run(command, check=True)
        pictures = np.fromfile(images, dtype="<f8").reshape(HEADS, -1)
        tilt = np.fromfile(poses, dtype="<f8").reshape(HEADS, -1)[:, 1:2]
        yield ("rendered heads", seed, pictures, tilt, False, HEADS_NEIGHBORS)


def others(file: str, seeds: range) -> Iterator[Set]:
    """Heads of Tenenbaum et al.: nine tenths of them, drawn anew."""
    pictures, tilt = heads(file)
    for seed in seeds:
        rows = most_of(len(tilt), seed)
        yield ("heads", seed, pictures[rows], tilt[rows, None], False, HEADS_NEIGHBORS)


def write(directory: Path, sets: Iterator[Set]) -> None:
    """Writes the sets, one at a time."""
    listed = []
    for at, (family, seed, points, known, labelled, neighbors) in enumerate(sets):
        path, about = directory / f"{at}.f64", directory / f"{at}.known"
        points.astype("<f8").tofile(path)
        known.astype("<u4" if labelled else "<f8").tofile(about)
        what = f"labels={about}" if labelled else f"truth={about}:{known.shape[1]}"
        row = {"family": family, "seed": seed, "file": str(path), "columns": points.shape[1]}
        listed.append({**row, "known": what, "about": str(about), "neighbors": neighbors})
    (directory / "sets.json").write_text(json.dumps({"sets": listed}))


def main() -> None:
    """All of them."""
    match sys.argv[1:]:
        case [folder, "few" | "all" as wanted, images, labels, renderer, *file]:
            directory, large = Path(folder), wanted == "all"
        case _:
            sys.exit(__doc__)
    directory.mkdir(parents=True, exist_ok=True)
    seeds = range(1, (SEEDS if large else 1) + 1)
    sets = [manifolds(seeds), rendered(renderer, directory, seeds)]
    if file:
        sets.append(others(file[0], seeds))
    sets.append(tables(seeds))
    if images != "-":
        sets.append(mnist(images, labels, seeds, large))
    write(directory, chain.from_iterable(sets))


if __name__ == "__main__":
    main()
