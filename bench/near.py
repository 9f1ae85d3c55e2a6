"""The nearest neighbours of points by one library: a line of JSON with time and recall.

    near.py LIBRARY FILE COLUMNS NEIGHBORS

LIBRARY is umap-learn (its neighbour stage alone, compiled before it is timed) or hnswlib.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

SAMPLE = 500
"""Points whose true neighbours are looked for."""
WARM = 6000
"""Points that umap-learn is compiled with: fewer it searches in another way."""


def umap_learn(points: np.ndarray, k: int) -> Callable[[], np.ndarray]:
    """The stage that UMAP begins with; it counts a point as its own neighbour."""
    from umap.umap_ import nearest_neighbors

    def search(some: np.ndarray) -> np.ndarray:
        state = np.random.RandomState(0)
        return nearest_neighbors(some, k, "euclidean", {}, False, state)[0]

    search(points[:WARM])
    return lambda: search(points)


def hnswlib(points: np.ndarray, k: int) -> Callable[[], np.ndarray]:
    """A graph with the settings that its documentation begins with."""
    import hnswlib as library

    def search() -> np.ndarray:
        index = library.Index(space="l2", dim=points.shape[1])
        index.init_index(max_elements=len(points), ef_construction=200, M=16, random_seed=0)
        index.add_items(points)
        index.set_ef(50)
        return index.knn_query(points, k=k)[0]

    return search


def recall(points: np.ndarray, found: np.ndarray) -> float:
    """Share of the nearest others that were found, on a sample; the point itself does not count."""
    rows = np.random.default_rng(0).choice(len(points), min(SAMPLE, len(points)), replace=False)
    squares = (points**2).sum(axis=1)
    distances = squares[rows, None] + squares - 2 * points[rows] @ points.T
    distances[np.arange(len(rows)), rows] = -1
    k = found.shape[1]
    true = np.argpartition(distances, k - 1, axis=1)[:, :k]
    right = [len(set(a) & set(b)) - 1 for a, b in zip(true, found[rows], strict=True)]
    return float(np.mean(right) / (k - 1))


def main() -> None:
    """Times one search, and what comes before the first one of a process."""
    library, file, columns, k = sys.argv[1:]
    points = np.fromfile(file, dtype="<f8").reshape(-1, int(columns)).astype(np.float32)
    make = {"umap-learn": umap_learn, "hnswlib": hnswlib}[library]
    search, before = timed(lambda: make(points, int(k)))
    found, answer = timed(search)
    answer |= {"before": before, "recall": recall(points, found)}
    print(json.dumps(answer))


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """What it returns, and its wall and processor time."""
    start, used = time.perf_counter(), os.times()
    result = work()
    seconds, now = time.perf_counter() - start, os.times()
    processor = now.user + now.system - used.user - used.system
    return result, {"seconds": seconds, "processor": processor}


if __name__ == "__main__":
    main()
