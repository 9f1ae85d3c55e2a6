"""Measures nrdr beside other libraries and writes the tables into docs/benchmarks.md.

The first run installs the other libraries into target/bench-venv* and fetches the MNIST digits.
"""

from __future__ import annotations

import argparse
import os

import all_digits
import alpha
import cholesky
import cluster
import command
import compare
import competitors
import cost
import environment
import growth
import low_rank
import metrics
import mnist
import new_points
import quality
import redundancy
import report
import scale
import solvers

PARTS = {
    "peers": compare.section,
    "mnist": mnist.section,
    "metrics": metrics.section,
    "all-digits": all_digits.section,
    "cost": cost.section,
    "command": command.section,
    "digits": redundancy.digits_section,
    "growth": growth.section,
    "scale": scale.section,
    "low-rank": low_rank.section,
    "cholesky": cholesky.section,
    "solvers": solvers.section,
    "alpha": alpha.section,
    "competitors": competitors.section,
    "new-points": new_points.section,
    "quality": quality.section,
    "cluster": cluster.section,
}
TITLES = {
    "peers": "## Beside other libraries",
    "mnist": "## Nearest neighbours in many dimensions",
    "metrics": "## Nearest neighbours by other metrics",
    "all-digits": "## All MNIST digits",
    "cost": "## The default beside the original method",
    "command": "## The command beside the library",
    "digits": "## Non-redundant coordinates of the MNIST digits",
    "growth": "## Growth",
    "scale": "## Growth",
    "low-rank": "## Isomap and kernel PCA without all pairs",
    "cholesky": "## Sparse Cholesky factorisation",
    "solvers": "## Solvers",
    "alpha": "## alpha by itself, on images",
    "competitors": "## Strategies beside LDLE and UMAP",
    "new-points": "## New points",
    "quality": "## Tables",
    "cluster": "## Measured",
}
PAGES = {"quality": quality.PAGE, "scale": scale.PAGE, "cluster": cluster.PAGE}
"""Parts with a page of their own."""


def arguments() -> argparse.Namespace:
    """What the user wants."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python3 bench/run.py --only growth --quick",
    )
    parser.add_argument("--only", choices=PARTS, help="measure this part alone")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="at most 10 000 points, one repeat, and nothing is written to docs",
    )
    return parser.parse_args()


def warn_if_busy() -> None:
    """Ratios and shares mean little when somebody else uses the cores as well."""
    load, cores = os.getloadavg()[0], environment.cores()
    if load > 0.25 * cores:
        print(f"warning: the machine is busy (load {load:.1f}, {cores} cores): times will be off")


def main() -> None:
    """Part by part: a part that is done is written even if a later one fails."""
    options = arguments()
    repeats = 1 if options.quick else 3
    environment.build()
    warn_if_busy()
    for part in [options.only] if options.only else PARTS:
        text = PARTS[part](options.quick, repeats)
        if text is None:
            continue
        text = f"{TITLES[part]}\n\n{text}"
        print(f"\n{text}\n", flush=True)
        if not options.quick:
            report.write(part, text, PAGES.get(part, report.PAGE))


if __name__ == "__main__":
    main()
