"""Writes the sets of the quality table, and scores coordinates by a cubic support vector machine.

quality_sets.py write DIR IMAGES LABELS [HEADS]   the sets as files of f64, and sets.json
quality_sets.py svm FILE DIMS LABELS              a line of JSON with an error in % for each of DIMS

IMAGES and LABELS are IDX files of MNIST; without them (-) its sets are left out. FILE
holds coordinates, one after another; LABELS are u32. The machine, (0.1 x.y + 1)^3 with C = 3,
learns from the first two thirds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.svm import SVC

from scores import heads

SEEDS = 3
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


def manifolds() -> Iterator[Set]:
    """Sets whose parameters are known."""
    for seed in range(1, SEEDS + 1):
        for height, noise, n in ((21, 0, 2000), (10, 0, 2000), (8, 0.3, 1000), (4, 0, 2000)):
            name = f"roll, height {height}" + (", noise" if noise else "")
            yield (name, seed, *roll(n, height, noise, seed), False, 10)
        for minor in (4, 3):
            yield (f"torus, radii 10 and {minor}", seed, *torus(3000, minor, seed), False, 10)
        for aspect in (2.5, 10):
            points = np.random.default_rng(seed).random((1500, 2)) * [aspect, 1]
            yield (f"strip {aspect:g} : 1", seed, points, points[:, 1:], False, 10)


def tables() -> Iterator[Set]:
    """Sets with labels that come with scikit-learn: nine tenths of the rows, drawn anew."""
    loaders = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
    for name, loader in {"8 x 8 digits": load_digits, **loaders}.items():
        data = loader()
        for seed in range(1, SEEDS + 1):
            rows = np.random.default_rng(seed).permutation(len(data.data))[
                : len(data.data) * 9 // 10
            ]
            points, labels = data.data[rows], data.target[rows]
            yield (name, seed, points, labels, True, 10)
            if name in loaders:
                scaled = (points - points.mean(axis=0)) / points.std(axis=0)
                yield (f"{name}, standardised", seed, scaled, labels, True, 10)


def mnist(images: str, labels: str) -> Iterator[Set]:
    """Subsets of MNIST, one of them with classes ten times as frequent as others."""
    pixels = np.frombuffer(Path(images).read_bytes()[IDX["images"] :], dtype=np.uint8)
    pixels = pixels.reshape(-1, 784)
    digits = np.frombuffer(Path(labels).read_bytes()[IDX["labels"] :], dtype=np.uint8)
    for seed in range(1, SEEDS + 1):
        random = np.random.default_rng(seed)
        order = random.permutation(len(digits))
        rare = (digits[order] >= 5) & (random.random(len(order)) > 0.1)
        sets = {"MNIST, 3 000": order[:3000], "MNIST, 10 : 1": order[~rare][:3000]}
        if seed == 1:
            sets["MNIST, 15 000"] = order[:15000]
        for name, rows in sets.items():
            yield (name, seed, pixels[rows] / 255, digits[rows], True, 10)


def write(directory: Path, images: str, labels: str, heads_file: str | None) -> None:
    """Writes all sets."""
    directory.mkdir(parents=True, exist_ok=True)
    sets: list[Set] = [*manifolds(), *tables()]
    if images != "-":
        sets += mnist(images, labels)
    if heads_file:
        pictures, tilt = heads(heads_file)
        sets.append(("heads", 1, pictures, tilt[:, None], False, 8))
    listed = []
    for at, (family, seed, points, known, labelled, neighbors) in enumerate(sets):
        path, about = directory / f"{at}.f64", directory / f"{at}.known"
        points.astype("<f8").tofile(path)
        known.astype("<u4" if labelled else "<f8").tofile(about)
        what = f"labels={about}" if labelled else f"truth={about}:{known.shape[1]}"
        columns = points.shape[1]
        row = {"family": family, "seed": seed, "file": str(path), "columns": columns}
        listed.append({**row, "known": what, "labelled": labelled, "neighbors": neighbors})
    (directory / "sets.json").write_text(json.dumps(listed))


def svm(file: str, dims: list[int], labels: str) -> list[float]:
    """The error on the last third for each number of coordinates."""
    y = np.fromfile(labels, dtype="<u4")
    coordinates = np.fromfile(file, dtype="<f8").reshape(-1, len(y)).T
    coordinates = coordinates / coordinates.std(axis=0)
    train = 2 * len(y) // 3
    errors = []
    for d in dims:
        machine = SVC(C=3, kernel="poly", degree=3, gamma=0.1, coef0=1)
        machine.fit(coordinates[:train, :d], y[:train])
        wrong = machine.predict(coordinates[train:, :d]) != y[train:]
        errors.append(100 * float(wrong.mean()))
    return errors


def main() -> None:
    """Writes or scores."""
    match sys.argv[1:]:
        case ["write", directory, images, labels, *heads_file]:
            write(Path(directory), images, labels, heads_file[0] if heads_file else None)
        case ["svm", file, dims, labels]:
            print(json.dumps(svm(file, [int(d) for d in dims.split(",")], labels)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
