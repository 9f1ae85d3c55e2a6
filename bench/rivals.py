"""Embeds by another library, or scores an embedding, in a process of its own; a line of JSON each.

rivals.py embed LIB FILE COLUMNS DIMS OUT           the seconds of the call alone, of wall and of
                                                    processor time
rivals.py score FILE DIMS POINTS COLUMNS digits     trustworthiness, and the share of labels told
rivals.py score FILE DIMS POINTS COLUMNS TRUTH KIND KIND
                                                    the same with R2 of each parameter

Files hold little-endian f64, row after row. KIND is "angle" or "0": no angle.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout

import numpy as np

NEIGHBORS = 10


def umap_learn(points: np.ndarray, dims: int) -> Callable[[], np.ndarray]:
    """UMAP as it comes. The first call compiles: the second is what a user waits for later."""
    from umap import UMAP

    maker = UMAP(n_components=dims, random_state=0)
    maker.fit_transform(points[:200])
    return lambda: UMAP(n_components=dims, random_state=0).fit_transform(points)


def ldle(points: np.ndarray, dims: int) -> Callable[[], np.ndarray]:
    """Low distortion local eigenmaps as they come, without the colours of their pictures."""
    os.environ["MPLBACKEND"] = "Agg"
    from pyLDLE2.buml_ import BUML

    def embed() -> np.ndarray:
        pictures = {"color_tear": False}
        views = BUML(d=dims, local_opts={"algo": "LDLE"}, global_opts=pictures, n_proc=1)
        views.fit(X=points)
        return views.GlobalViews.y_final

    return embed


def embed(library: str, file: str, columns: int, dims: int, out: str) -> dict[str, object]:
    """Times the call and writes the coordinates."""
    points = read(file, columns)
    call = {"umap-learn": umap_learn, "pyLDLE2": ldle}[library](points, dims)
    start, used = time.perf_counter(), processor()
    # What a library prints is no answer of ours.
    with redirect_stdout(sys.stderr):
        coordinates = call()
    seconds, used = time.perf_counter() - start, processor() - used
    if not np.isfinite(coordinates).all():
        raise ValueError("coordinates that are not finite")
    np.ascontiguousarray(coordinates, dtype="<f8").tofile(out)
    return {"seconds": seconds, "processor": used}


def processor() -> float:
    """Seconds of processor time that this process and those that it has ended have used."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def score(file: str, dims: int, points: str, columns: int, truth: list[str]) -> dict[str, object]:
    """How well an embedding keeps neighbours, and what its neighbours tell."""
    from sklearn.datasets import load_digits
    from sklearn.manifold import trustworthiness
    from sklearn.neighbors import NearestNeighbors

    start = time.perf_counter()
    coordinates = read(file, dims)
    trust = trustworthiness(read(points, columns), coordinates, n_neighbors=NEIGHBORS)
    # Without points asked for, nobody is a neighbour of itself.
    near = NearestNeighbors(n_neighbors=NEIGHBORS).fit(coordinates)
    near = near.kneighbors(return_distance=False)
    if truth == ["digits"]:
        labels = load_digits().target
        votes = np.array([np.bincount(row, minlength=10) for row in labels[near]])
        scores = [float((votes.argmax(axis=1) == labels).mean())]
    else:
        known = read(truth[0], len(truth) - 1)
        columns_of = zip(known.T, truth[1:], strict=True)
        scores = [told(parameter, kind, near) for parameter, kind in columns_of]
    return {"seconds": time.perf_counter() - start, "trust": float(trust), "scores": scores}


def told(parameter: np.ndarray, kind: str, near: np.ndarray) -> float:
    """R2 of a parameter by the mean of the neighbours'; of an angle by its cosine and sine."""
    values = np.array([np.cos(parameter), np.sin(parameter)] if kind == "angle" else [parameter]).T
    rest = ((values - values[near].mean(axis=1)) ** 2).sum()
    return float(1 - rest / ((values - values.mean(axis=0)) ** 2).sum())


def read(file: str, columns: int) -> np.ndarray:
    """A table."""
    return np.fromfile(file, dtype="<f8").reshape(-1, columns)


def main() -> None:
    """Embeds or scores; the name of an error is for the table."""
    try:
        match sys.argv[1:]:
            case ["embed", library, file, columns, dims, out]:
                answer = embed(library, file, int(columns), int(dims), out)
            case ["score", file, dims, points, columns, *truth]:
                answer = score(file, int(dims), points, int(columns), truth)
            case _:
                sys.exit(__doc__)
    except Exception as error:
        print(json.dumps({"error": type(error).__name__}), flush=True)
        raise
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
