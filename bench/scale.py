"""How the default grows to a million points: processor time, memory, and is it still right."""

from __future__ import annotations

import json
import subprocess
from math import log

from data import swiss_roll
from environment import DATA, OURS, ROOT, machine, peers
from process import Run, run, show_seconds
from report import table, thousands, verdict

PAGE = ROOT / "docs" / "scale.md"
HEIGHT = 10
NEIGHBORS, DIMS = 10, 3
SIZES = [10_000, 100_000, 1_000_000]
MOST_BYTES = {"lem": 4_000, "dfm": 4_000, "ltsa": 8_000, "lle": 8_000}
"""A point of the largest number of them may take so many."""
MOST_EXPONENT, LEAST_R2 = 1.2, 0.95
HEADER = [
    "method",
    *(f"{thousands(n)} points" for n in SIZES),
    "exponent",
    "≤ 1.2",
    "bytes a point",
    "goal",
    "",
    "height R²",
    "> 0.95",
]
LIMIT = 900


def section(quick: bool, _repeats: int) -> str:
    """Measures and tells."""
    sizes = SIZES[:1] if quick else SIZES
    rows = [row(method, sizes) for method in MOST_BYTES]
    header = [HEADER[0], *HEADER[1 : 1 + len(sizes)], *HEADER[1 + len(SIZES) :]]
    return (
        f"Swiss roll of height {HEIGHT}, {NEIGHBORS} neighbours, {DIMS} coordinates of the default "
        "strategy: processor time of the embedding, and the peak memory of the whole process, its "
        "input included; one run each. The exponent is that of growth between the last two numbers "
        "of points. Bytes a point and R² are those of the most points; R²: how well the 10 nearest "
        "neighbours in the embedding tell the height of a point, for 10 000 of them. "
        f"`python3 bench/run.py --only scale`. {machine()}.\n\n{table(header, rows)}"
    )


def row(method: str, sizes: list[int]) -> list[str]:
    """A method at every number of points."""
    out = DATA / "scale.out"
    runs = []
    for n in sizes:
        words = [OURS, method, swiss_roll(n, height=HEIGHT), 3, NEIGHBORS, 1, DIMS, "default", out]
        runs.append(run([str(word) for word in words], limit=LIMIT))
        print(f"scale {method} {thousands(n)}: {runs[-1]} {runs[-1].details}", flush=True)
    cells = [shown(one) for one in runs]
    if any(one.seconds is None for one in runs):
        return [method.upper(), *cells, *["–"] * 7]
    exponent, exponent_verdict = "–", ""
    if len(sizes) > 1:
        times = [one.details["processor"] for one in runs[-2:]]
        growth = log(times[1] / times[0]) / log(sizes[-1] / sizes[-2])
        exponent, exponent_verdict = f"{growth:.2f}", verdict(growth <= MOST_EXPONENT)
    taken = 1e6 * (runs[-1].megabytes or 0) * 1.048576 / sizes[-1]
    r2 = height(sizes[-1], out)
    most = MOST_BYTES[method]
    return [
        method.upper(),
        *cells,
        exponent,
        exponent_verdict,
        thousands(round(taken)),
        f"≤ {thousands(most)}",
        verdict(taken <= most),
        f"{r2:.3f}",
        verdict(r2 > LEAST_R2),
    ]


def shown(one: Run) -> str:
    """Processor time and memory."""
    if one.seconds is None:
        return one.problem
    gigabytes = (one.megabytes or 0) / 1000 * 1.048576
    return f"{show_seconds(one.details['processor'])}, {gigabytes:.2f} GB"


def height(n: int, out: object) -> float:
    """What the embedding tells of the height."""
    python = peers(["scikit-learn"])["scikit-learn"].python
    script, file = ROOT / "bench" / "sheet.py", swiss_roll(n, height=HEIGHT)
    words = [str(word) for word in (python, script, "height", file, out, DIMS)]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return json.loads(said)["r2"]
