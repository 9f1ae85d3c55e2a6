"""Prints a CSV of two clouds of points and their labels; one of the labels is the argument."""

from __future__ import annotations

import csv
import random
import sys


def main() -> None:
    """Three hundred rows, the same every time."""
    source = random.Random(1)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["x", "y", "z", "kind"])
    for i in range(300):
        side = 4 * (i % 2)
        place = [source.gauss(side, 1), source.gauss(0, 1), source.gauss(0, 0.5)]
        writer.writerow([f"{v:.6f}" for v in place] + [sys.argv[1] if i % 2 else "plain"])


if __name__ == "__main__":
    main()
