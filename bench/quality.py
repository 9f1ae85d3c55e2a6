"""How good embeddings are, the original beside ours: labels, neighbours, parameters, machines."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from pathlib import Path

from alpha import HEADS
from environment import DATA, QUALITY, ROOT, machine, mnist_file, peers
from report import table

PAGE = ROOT / "docs" / "quality.md"
STRATEGIES = {
    "original": "orthogonal",
    "alpha 0.4": "unpredictable:alpha=0.4",
    "alpha 0.6": "unpredictable:alpha=0.6",
    "paper, auto": "unpredictable",
    "priced": "priced",
}
FIXED = [name for name in STRATEGIES if name.startswith("alpha")]
COLUMNS = ["original", "paper, best alpha", "paper, auto", "priced"]
DIMS = [2, 3, 5, 9]
FEW_DIMS = [2, 3]
"""Of manifolds of two dimensions."""
MORE_DIMS = [2, 3, 5, 7, 9, 11]
LARGE = {"MNIST, 15 000"}
MANIFOLDS = ("roll", "torus", "strip", "heads")
MACHINES = {"MNIST, 3 000", "8 x 8 digits"}
"""Sets that are scored by a support vector machine, too."""


def section(quick: bool, repeats: int) -> str | None:
    """Measures and tells; None without scikit-learn."""
    del repeats
    sklearn = peers(["scikit-learn"])["scikit-learn"]
    if sklearn.problem:
        print(f"quality is skipped: scikit-learn {sklearn.problem}")
        return None
    found: dict[str, list[dict]] = {}
    for one in sets(sklearn.python):
        if quick and (one["seed"] > 1 or one["family"] in LARGE):
            continue
        found.setdefault(one["family"], []).append(measure(one, sklearn.python))
        print(one["family"], one["seed"], flush=True)
    return text(found)


def sets(python: Path) -> list[dict]:
    """The sets, written by a Python that has scikit-learn."""
    files = [mnist_file(f"train-{what}-ubyte") for what in ("images-idx3", "labels-idx1")]
    names = [str(file) for file in files] if all(files) else ["-", "-"]
    heads = os.environ.get(HEADS)
    command = ["write", str(DATA / "quality"), *names, *([heads] if heads else [])]
    subprocess.run([str(python), str(script()), *command], check=True)
    return json.loads((DATA / "quality" / "sets.json").read_text())


def script() -> Path:
    """The part that needs the libraries."""
    return Path(__file__).with_name("quality_sets.py")


def measure(one: dict, python: Path) -> dict:
    """By strategy and number of coordinates: what was measured."""
    many = one["family"].startswith("MNIST")
    few = one["family"].startswith(MANIFOLDS)
    dims = MORE_DIMS if many else FEW_DIMS if few else DIMS
    # Narrow smoothers of ten coordinates of thousands of points take minutes.
    names = [name for name in STRATEGIES if not (many and name == "paper, auto")]
    out = DATA / "quality" / "out"
    numbers = [str(one["columns"]), str(one["neighbors"]), ",".join(map(str, dims))]
    command = [str(QUALITY), "lem", one["file"], *numbers, one["known"], str(out)]
    command += [STRATEGIES[name] for name in names]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    result = {}
    for at, (name, line) in enumerate(zip(names, answer.stdout.splitlines(), strict=True)):
        row = json.loads(line)
        result[name] = {
            cell["d"]: {
                "told": min(cell["told"]),
                "trust": cell["trustworthiness"],
                "spike": cell["spike"],
                "redundancy": row["redundancy"][cell["d"] - 1],
            }
            for cell in row["dims"]
        }
        if one["family"] in MACHINES:
            labels = one["known"].removeprefix("labels=")
            score = ["svm", f"{out}.{at}", ",".join(map(str, dims)), labels]
            errors = subprocess.run(
                [str(python), str(script()), *score], capture_output=True, text=True, check=True
            )
            for d, error in zip(dims, json.loads(errors.stdout), strict=True):
                result[name][d]["svm"] = error
    return result


def cells(runs: list[dict], d: int, what: str, least: bool = False) -> dict[str, list[float]]:
    """For each column the values of all seeds; the best fixed alpha is that of the best mean."""
    values = {
        name: [run[name][d][what] for run in runs] for name in runs[0] if what in runs[0][name][d]
    }
    fixed = [name for name in FIXED if name in values]
    chosen = {"original": values.get("original"), "priced": values.get("priced")}
    chosen["paper, auto"] = values.get("paper, auto")
    if fixed:
        pick = min if least else max
        chosen["paper, best alpha"] = values[pick(fixed, key=lambda n: statistics.mean(values[n]))]
    return {column: chosen[column] for column in COLUMNS if chosen.get(column)}


def shown(values: list[float] | None, digits: int) -> str:
    """Mean and deviation."""
    if not values:
        return "–"
    mean = f"{statistics.mean(values):.{digits}f}"
    if len(values) == 1:
        return mean
    return f"{mean} ± {statistics.stdev(values):.{digits}f}"


def rows(found: dict, what: str, digits: int, families: list[str], least: bool = False) -> list:
    """A row for each set and number of coordinates."""
    lines = []
    for family in families:
        for d in found[family][0]["original"]:
            of = cells(found[family], d, what, least)
            if of:
                lines.append([family, d, *(shown(of.get(column), digits) for column in COLUMNS)])
    return lines


def differences(found: dict, what: str, families: list[str]) -> str:
    """The mean and the worst difference of priced from the original."""
    gaps = []
    for family in families:
        for d in [d for d in DIMS if d in found[family][0]["original"]]:
            of = cells(found[family], d, what)
            gap = statistics.mean(of["priced"]) - statistics.mean(of["original"])
            gaps.append((gap, f"{family} at {d}"))
    mean = statistics.mean(gap for gap, _ in gaps)
    below = [f"{where} ({gap:+.3f})" for gap, where in sorted(gaps) if gap < -0.01]
    worse = f"more than .01 worse: {', '.join(below)}" if below else "nowhere more than .01 worse"
    return f"on average {mean:+.3f} against the original, {worse}"


def text(found: dict) -> str:
    """The tables."""
    header = ["set", "coordinates", *COLUMNS]
    known = [f for f in found if f.startswith(MANIFOLDS)]
    labelled = [f for f in found if f not in known]
    svm = [family for family in labelled if family in MACHINES]
    parts = [
        "Laplacian eigenmaps, 10 neighbours (heads: 8), defaults otherwise; mean and deviation of "
        f"the seeds or subsets. {machine()}.",
        "### Labels by 10 nearest neighbours\n\n"
        f"Priced: {differences(found, 'told', labelled)}.\n\n"
        + table(header, rows(found, "told", 3, labelled)),
        "### Trustworthiness\n\n"
        f"Priced: {differences(found, 'trust', list(found))}.\n\n"
        + table(header, rows(found, "trust", 3, list(found))),
        "### Error of a cubic support vector machine, in %\n\n"
        + table(header, rows(found, "svm", 1, svm, least=True)),
        "### R2 of the hidden parameter\n\nThe height, the inner angle (the lesser of cosine and "
        "sine), the tilt.\n\n" + table(header, rows(found, "told", 2, known)),
        "### Redundancy of the last coordinate (1 is new, 0 a function of the earlier ones)\n\n"
        + table(header, rows(found, "redundancy", 2, list(found))),
        "### Largest share of a coordinate's variance in 1 % of the points\n\n"
        + table(header, rows(found, "spike", 2, labelled, least=True)),
    ]
    return "\n\n".join(parts)
