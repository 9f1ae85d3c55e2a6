"""Scores embeddings of images whose labels or angles are known, and writes such images to files.

scores.py write digits|heads OUT [MAT]              the images, as f64, row after row
scores.py score FILE DIMS digits|labels|heads|rows [PATH]
                                                    a line of JSON with a score for each of DIMS

DIMS is a list such as 2,3,5: so many of the first coordinates of FILE, which holds them one after
another, are looked at; with `rows` it holds them row after row, and has labels. PATH is the IDX
file of the labels, or the MATLAB file of the heads.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
from scipy.io import loadmat
from sklearn.datasets import load_digits
from sklearn.neighbors import NearestNeighbors

NEIGHBORS = 10
IDX_HEADER = 8


def heads(path: str) -> tuple[np.ndarray, np.ndarray]:
    """The images of one side of the light and their tilt.

    Angles are standardised in the file; uniform ranges are assumed to have them in degrees.
    """
    content = loadmat(path)
    ranges = [(105, 255), (-75, 75), (-10, 10)]
    light, _, tilt = (
        low + (v - v.min()) / (v.max() - v.min()) * (high - low)
        for v, (low, high) in zip(content["dataT"], ranges, strict=True)
    )
    kept = (np.abs(tilt) <= 8) & (light <= 175)
    return content["dataY"].T[kept], tilt[kept]


def accuracy(coordinates: np.ndarray, labels: np.ndarray) -> float:
    """The share of labels that most of the nearest neighbours have."""
    scaled = coordinates / coordinates.std(axis=0)
    near = NearestNeighbors(n_neighbors=NEIGHBORS + 1).fit(scaled)
    near = near.kneighbors(scaled, return_distance=False)[:, 1:]
    votes = np.array([np.bincount(row, minlength=labels.max() + 1) for row in labels[near]])
    return float((votes.argmax(axis=1) == labels).mean())


def score(file: str, dims: list[int], kind: str, path: str | None) -> list[float]:
    """The score at each number of coordinates."""
    coordinates = np.fromfile(file, dtype="<f8")
    if kind == "rows":
        coordinates = coordinates.reshape(-1, dims[-1])
    else:
        coordinates = coordinates.reshape(dims[-1], -1).T
    if kind == "heads":
        _, tilt = heads(path)
        return [float(abs(np.corrcoef(coordinates[:, d - 1], tilt)[0, 1])) for d in dims]
    if kind == "digits":
        labels = load_digits().target
    else:
        content = Path(path).read_bytes()[IDX_HEADER:][: len(coordinates)]
        labels = np.frombuffer(content, dtype=np.uint8).astype(np.int64)
    return [accuracy(coordinates[:, :d], labels) for d in dims]


def main() -> None:
    """Writes or scores."""
    start = time.perf_counter()
    match sys.argv[1:]:
        case ["write", "digits", out]:
            load_digits().data.astype("<f8").tofile(out)
            answer = {}
        case ["write", "heads", out, path]:
            heads(path)[0].astype("<f8").tofile(out)
            answer = {}
        case ["score", file, dims, kind, *path]:
            counts = [int(d) for d in dims.split(",")]
            answer = {"scores": score(file, counts, kind, path[0] if path else None)}
        case _:
            sys.exit(__doc__)
    print(json.dumps({"seconds": time.perf_counter() - start, **answer}))


if __name__ == "__main__":
    main()
