"""Scores coordinates by a cubic support vector machine, run by a Python with scikit-learn.

quality_svm.py FILE DIMS LABELS    a line of JSON with an error in % for each of DIMS, such as 2,3,5

FILE holds coordinates as f64, one after another; LABELS are u32. The machine, (0.1 x.y + 1)^3 with
C = 3, learns from the first two thirds.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from sklearn.svm import SVC


def errors(file: str, dims: list[int], labels: str) -> list[float]:
    """The error on the last third for each number of coordinates."""
    y = np.fromfile(labels, dtype="<u4")
    coordinates = np.fromfile(file, dtype="<f8").reshape(-1, len(y)).T
    coordinates = coordinates / coordinates.std(axis=0)
    train = 2 * len(y) // 3
    found = []
    for d in dims:
        machine = SVC(C=3, kernel="poly", degree=3, gamma=0.1, coef0=1)
        machine.fit(coordinates[:train, :d], y[:train])
        wrong = machine.predict(coordinates[train:, :d]) != y[train:]
        found.append(100 * float(wrong.mean()))
    return found


def main() -> None:
    """Scores."""
    start = time.perf_counter()
    match sys.argv[1:]:
        case [file, dims, labels]:
            found = errors(file, [int(d) for d in dims.split(",")], labels)
        case _:
            sys.exit(__doc__)
    print(json.dumps({"seconds": time.perf_counter() - start, "errors": found}))


if __name__ == "__main__":
    main()
