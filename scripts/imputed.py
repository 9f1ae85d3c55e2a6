"""Makes the fixtures of crates/nrdr-model/tests/imputing.rs: what scikit-learn fills holes with.

    python scripts/imputed.py [folder]

Those in the repository were made with Python 3.11.7, scikit-learn 1.9.1 and NumPy 2.4.6. A missing
value is an empty cell. `holes.csv` is fitted; `new.csv` has rows that were not there. `mean.csv`,
`median.csv` and `knn.csv` hold both, filled, one below the other. No two distances of a row are
equal: then which rows are the nearest would be a matter of taste.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.metrics.pairwise import nan_euclidean_distances

FOLDER = Path(__file__).parent.parent / "crates/nrdr-model/tests/fixtures"


def write(path: Path, table: np.ndarray) -> None:
    """A row a line, with all bits."""
    cells = (["" if np.isnan(value) else repr(float(value)) for value in row] for row in table)
    path.write_text("".join(",".join(row) + "\n" for row in cells))


def with_holes(random: np.random.Generator, rows: int) -> np.ndarray:
    """Points on a bent strip, columns of different scales; one row has one value, one has none."""
    t = random.uniform(0, 9, rows)
    noise = [10 * random.random(rows), random.standard_normal(rows)]
    table = np.column_stack([t * np.cos(t), noise[0], t * np.sin(t), noise[1], t])
    table[random.random(table.shape) < 0.25] = np.nan
    table[3, 1:] = np.nan
    table[7] = np.nan
    return table


def main() -> None:
    """Writes all of them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(5)
    table, new = with_holes(random, 80), with_holes(random, 20)
    write(folder / "holes.csv", table)
    write(folder / "new.csv", new)
    for rows in np.vstack([table, new]):
        distances = nan_euclidean_distances(rows[None], table)[0]
        there = np.sort(distances[np.isfinite(distances) & (distances > 0)])
        assert len(there) < 2 or np.diff(there).min() > 1e-9
    imputers = {
        "mean": SimpleImputer(strategy="mean"),
        "median": SimpleImputer(strategy="median"),
        "knn": KNNImputer(n_neighbors=5, weights="uniform", metric="nan_euclidean"),
    }
    for name, imputer in imputers.items():
        filled = imputer.fit_transform(table)
        write(folder / f"{name}.csv", np.vstack([filled, imputer.transform(new)]))


if __name__ == "__main__":
    main()
