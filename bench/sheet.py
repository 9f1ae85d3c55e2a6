"""A Swiss roll by the landmark Isomap of tapkee, and how flat a sheet coordinates are.

sheet.py embed FILE OUT K LANDMARKS DIMS embeds the points of a file and writes the coordinates, one
after another; sheet.py score FILE OUT DIMS prints a line of JSON: for each side of the sheet the
share of its variance that is no linear function of the coordinates; sheet.py height FILE OUT DIMS
prints how well the nearest neighbours in the embedding tell the height of a point.
"""

from __future__ import annotations

import json
import sys

import numpy as np


def embed(points: np.ndarray, out: str, k: int, landmarks: int, dims: int) -> None:
    """By tapkee, which draws the landmarks at random."""
    import tapkee

    coordinates = tapkee.embed(
        np.asfortranarray(points.T),
        method="l-isomap",
        num_neighbors=k,
        target_dimension=dims,
        neighbors_method="vptree",
        landmark_ratio=landmarks / len(points),
    )
    np.ascontiguousarray(coordinates.T).tofile(out)


def sheet(points: np.ndarray) -> np.ndarray:
    """The length along the spiral, and the height."""
    t = np.hypot(points[:, 0], points[:, 2])
    along = 0.5 * (t * np.sqrt(1 + t * t) + np.arcsinh(t))
    return np.column_stack([along, points[:, 1]])


def score(points: np.ndarray, out: str, dims: int) -> None:
    """What is left of each side after the coordinates were regressed on."""
    coordinates = np.fromfile(out, dtype="<f8").reshape(dims, -1).T
    sides = sheet(points)
    sides = sides - sides.mean(axis=0)
    known = np.column_stack([np.ones(len(points)), coordinates / coordinates.std(axis=0)])
    rest = sides - known @ np.linalg.lstsq(known, sides, rcond=None)[0]
    print(json.dumps({"left": (rest.var(axis=0) / sides.var(axis=0)).tolist()}))


def height(points: np.ndarray, out: str, dims: int) -> None:
    """R2 of the mean height of the 10 nearest neighbours of a sample, each point left out."""
    from sklearn.neighbors import NearestNeighbors

    coordinates = np.fromfile(out, dtype="<f8").reshape(dims, -1).T
    coordinates /= coordinates.std(axis=0)
    rows = np.random.default_rng(0).choice(len(points), min(10_000, len(points)), replace=False)
    near = NearestNeighbors(n_neighbors=11).fit(coordinates)
    near = near.kneighbors(coordinates[rows], return_distance=False)[:, 1:]
    true, told = points[rows, 1], points[near, 1].mean(axis=1)
    print(json.dumps({"r2": 1 - float(np.mean((true - told) ** 2) / true.var())}))


def main() -> None:
    """One of the three."""
    match sys.argv[1:]:
        case ["embed", file, out, k, landmarks, dims]:
            points = np.fromfile(file, dtype="<f8").reshape(-1, 3)
            embed(points, out, int(k), int(landmarks), int(dims))
        case ["score", file, out, dims]:
            score(np.fromfile(file, dtype="<f8").reshape(-1, 3), out, int(dims))
        case ["height", file, out, dims]:
            height(np.fromfile(file, dtype="<f8").reshape(-1, 3), out, int(dims))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
