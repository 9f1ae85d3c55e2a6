"""How good embeddings are, the original beside ours: labels, neighbours, parameters, machines.

Sets and results are kept in the target directory, bench-data/quality: a run that was interrupted
goes on where it was.
"""

from __future__ import annotations

import os
import statistics

from alpha import HEADS
from environment import ROOT, machine, mnist_file, peers
from quality_runs import LIMIT, MACHINES, Cells, Measurer, sets
from report import table

PAGE = ROOT / "docs" / "quality.md"
FIXED = ["0.3", "0.4", "0.6"]
ORIGINAL, BEST, AUTO, PRICED = "original", "paper, best alpha", "paper, auto", "priced"
COLUMNS = [ORIGINAL, BEST, AUTO, PRICED]
STRATEGIES = {
    ORIGINAL: "orthogonal",
    **{f"alpha {alpha}": f"unpredictable:alpha={alpha}" for alpha in FIXED},
    AUTO: "unpredictable",
    PRICED: "priced",
}
PARTS = {"price alone": "priced:pool=1", "spread alone": "priced:mu=0"}
"""What the default consists of."""
TAKEN_APART = {
    "roll, height 21",
    "roll, height 10",
    "roll, height 4",
    "torus, radii 10 and 4",
    "torus, radii 10 and 3",
    "8 x 8 digits",
    "wine, standardised",
    "MNIST, 3 000",
}
"""Sets of which the parts are measured, too."""
DIMS = [2, 3, 5, 9]
FEW_DIMS = [2, 3, 5]
"""Of manifolds of two dimensions, and of the parts."""
MORE_DIMS = [2, 3, 5, 7, 9, 11]
MANIFOLDS = ("roll", "torus", "strip", "heads", "rendered heads")
WORSE = {"told": 0.01, "trust": 0.01, "svm": 1, "spike": 0.05}
"""What is named one by one."""

Seed = dict[str, Cells]
"""By strategy: what was measured of a seed."""
Found = dict[str, list[Seed]]
"""By set: its seeds."""


def section(quick: bool, repeats: int) -> str | None:
    """Measures and tells; None without scikit-learn."""
    del repeats
    sklearn = peers(["scikit-learn"])["scikit-learn"]
    if sklearn.problem:
        print(f"quality is skipped: scikit-learn {sklearn.problem}")
        return None
    files = [mnist_file(f"train-{what}-ubyte") for what in ("images-idx3", "labels-idx1")]
    mnist = [str(file) for file in files] if all(files) else ["-", "-"]
    measurer = Measurer(sklearn.python)
    found: Found = {}
    for one in sets(sklearn.python, quick, mnist, os.environ.get(HEADS)):
        found.setdefault(one["family"], []).append(seed(one, measurer))
        print(one["family"], one["seed"], flush=True)
    return text(found, measurer)


def seed(one: dict, measurer: Measurer) -> Seed:
    """One seed or subset by all strategies."""
    family = one["family"]
    many, few = family.startswith("MNIST"), family.startswith(MANIFOLDS)
    dims = MORE_DIMS if many else FEW_DIMS if few else DIMS
    strategies = {**STRATEGIES, **(PARTS if family in TAKEN_APART else {})}
    return {name: measurer.measure(one, text, dims) for name, text in strategies.items()}


def values(seeds: list[Seed], name: str, d: int, what: str) -> list[float]:
    """Of all seeds; none where one of them has none."""
    cells = [seed[name].get(d, {}).get(what) for seed in seeds if name in seed]
    return [] if None in cells else cells


def columns(seeds: list[Seed], d: int, what: str, least: bool) -> dict[str, list[float]]:
    """For each column the values of all seeds; the best fixed alpha is that of the best mean."""
    of = {name: values(seeds, name, d, what) for name in STRATEGIES}
    fixed = [of[f"alpha {alpha}"] for alpha in FIXED if of[f"alpha {alpha}"]]
    pick = min if least else max
    of[BEST] = pick(fixed, key=statistics.mean) if fixed else []
    return {column: of[column] for column in COLUMNS}


def shown(values: list[float], digits: int) -> str:
    """Mean and deviation."""
    if not values:
        return "–"
    mean = f"{statistics.mean(values):.{digits}f}"
    if len(values) == 1:
        return mean
    return f"{mean} ± {statistics.stdev(values):.{digits}f}"


def dims_of(found: Found, family: str) -> list[int]:
    """The numbers of coordinates of a set."""
    return list(found[family][0][ORIGINAL])


def rows(found: Found, what: str, digits: int, families: list[str], least: bool = False) -> list:
    """A row for each set and number of coordinates."""
    lines = []
    for family in families:
        for d in dims_of(found, family):
            of = columns(found[family], d, what, least)
            lines.append([family, d, *(shown(of[column], digits) for column in COLUMNS)])
    return lines


def pairs(found: Found, what: str, families: list[str]) -> list[tuple[float, float, str]]:
    """Priced, the original, and where: at 2, 3, 5 and 9 coordinates of each set that has both."""
    places = []
    for family in families:
        for d in [d for d in DIMS if d in dims_of(found, family)]:
            ours, theirs = (values(found[family], name, d, what) for name in (PRICED, ORIGINAL))
            if ours and theirs:
                means = statistics.mean(ours), statistics.mean(theirs)
                places.append((*means, f"{family} at {d}"))
    return places


def differences(found: Found, what: str, families: list[str], least: bool = False) -> str:
    """The mean and the worst difference of priced from the original."""
    places = [(ours - theirs, at) for ours, theirs, at in pairs(found, what, families)]
    if not places:
        return "not measured"
    digits, most = 1 if what == "svm" else 3, WORSE[what]
    places.sort(reverse=least)
    mean = statistics.mean(gap for gap, _ in places)
    told = [f"{at} ({gap:+.{digits}f})" for gap, at in places]
    below = [
        text for text, (gap, _) in zip(told, places, strict=True) if (gap if least else -gap) > most
    ]
    worse = (
        f"more than {most:g} worse: {', '.join(below)}"
        if below
        else f"nowhere more than {most:g} worse"
    )
    return f"on average {mean:+.{digits}f} against the original, at worst {told[0]}; {worse}"


def spikes(found: Found, families: list[str]) -> str:
    """The largest share beside the original's, and the differences."""
    places = pairs(found, "spike", families)
    if not places:
        return "not measured"
    ours, beside, where = max(places)
    theirs, there = max((theirs, at) for _, theirs, at in places)
    return (
        f"at most {ours:.2f} ({where}, the original's {beside:.2f}), the original at most "
        f"{theirs:.2f} ({there}); {differences(found, 'spike', families, least=True)}"
    )


def apart(found: Found) -> str:
    """The default and its parts."""
    names = [ORIGINAL, *PARTS, PRICED]
    lines = []
    for family in [family for family in found if family in TAKEN_APART]:
        for d in FEW_DIMS:
            cells = [
                ", ".join(
                    shown(values(found[family], name, d, what), 3) for what in ("told", "trust")
                )
                for name in names
            ]
            lines.append([family, d, *cells])
    return table(["set", "coordinates", ORIGINAL, *PARTS, "both (priced)"], lines)


def gaps(measurer: Measurer) -> str:
    """Why cells are empty."""
    names = {text: name for name, text in [*STRATEGIES.items(), *PARTS.items()]}
    late = [
        f"{family} by {names[strategy]} from {least} coordinates on ({why})"
        for (family, strategy), (least, why) in sorted(measurer.late.items())
    ]
    if not late:
        return f"Every strategy ended within {LIMIT} s of processor time for each seed."
    return (
        f"–: embedding and measuring one of the seeds took more than {LIMIT} s of processor time, "
        f"or failed; the best alpha is that of those which ended. {'; '.join(late)}."
    )


def text(found: Found, measurer: Measurer) -> str:
    """The tables."""
    header = ["set", "coordinates", *COLUMNS]
    every = list(found)
    known = [family for family in found if family.startswith(MANIFOLDS)]
    labelled = [family for family in found if family not in known]
    svm = [family for family in labelled if family in MACHINES]
    seeds = max(len(seeds) for seeds in found.values())
    parts = [
        "Laplacian eigenmaps, 10 neighbours (heads: 8), defaults otherwise; mean and deviation of "
        f"{seeds} seeds or subsets; the best alpha is that of {', '.join(FIXED)} with the best "
        f"mean, for each cell. {machine()}.",
        gaps(measurer),
        "### Labels by 10 nearest neighbours\n\n"
        f"Priced: {differences(found, 'told', labelled)}.\n\n"
        + table(header, rows(found, "told", 3, labelled)),
        "### Trustworthiness\n\n"
        f"Priced: {differences(found, 'trust', every)}.\n\n"
        + table(header, rows(found, "trust", 3, every)),
        "### Error of a cubic support vector machine, in %\n\n"
        f"Priced: {differences(found, 'svm', svm, least=True)}.\n\n"
        + table(header, rows(found, "svm", 1, svm, least=True)),
        "### R2 of the hidden parameter\n\nThe height, the inner angle (the lesser of cosine and "
        f"sine), the tilt. Priced: {differences(found, 'told', known)}.\n\n"
        + table(header, rows(found, "told", 2, known)),
        "### Redundancy of the last coordinate (1 is new, 0 a function of the earlier ones)\n\n"
        + table(header, rows(found, "redundancy", 2, every)),
        "### Largest share of a coordinate's variance in 1 % of the points\n\n"
        f"Priced: {spikes(found, labelled)}.\n\n"
        + table(header, rows(found, "spike", 2, labelled, least=True)),
        "### The default and its parts\n\nThe price without the spread (`pool` 1), the spread "
        "without the price (`mu` 0), and both: labels told by the 10 nearest neighbours, or R2 of "
        f"the hidden parameter, and trustworthiness.\n\n{apart(found)}",
    ]
    return "\n\n".join(parts)
