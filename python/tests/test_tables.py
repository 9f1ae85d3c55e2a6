"""Text tables read as pandas reads them: no row, column or number is lost without a message."""

import gzip
import json
import math
import os
import random
import subprocess
from pathlib import Path

import pandas as pd
import pytest

CASES = 60 * int(os.environ.get("NRDR_SOAK", "1"))
MARKS = ["NA", "n/a", "#N/A", "n.d.", "-", ".", "?", "", "null", "NaN", "None"]
#: Meant as numbers, but not to be read as such; and what is no number at all.
DOUBTFUL = ["0x10", "1_000", "<0.01", "5.1%", "1 000", "'5", "1d5", "1e400"]
WRONG = ["oops", "A7", "2024-01-01", "1/2"]
WORDS = ["red", "green", "blue, dark", 'say "x"', "ärger", "TRUE", "12:30", "a;b"]


@pytest.fixture(scope="module")
def table(program):
    """Reads a file by the example of the crate that reads tables."""
    example = Path(program).parent / "examples" / "table"
    assert example.exists(), "build it: cargo build -p nrdr-io --example table"

    def read(path, *options):
        return subprocess.run([example, path, *options], capture_output=True, text=True)

    return read


class Made:
    """A table as text, and where its faults are."""

    def __init__(self, random):
        self.separator = random.choice([",", ",", ";", "\t"])
        self.comma = self.separator != "," and random.random() < 0.5
        self.header = random.random() < 0.6
        self.rows = random.randint(3, 40)
        # A column alone has no separator that would tell decimal commas from others.
        least = 1 if self.separator == ";" else 0
        kinds = ["number", *random.choices(["number", "text"], k=random.randint(least, 4))]
        random.shuffle(kinds)
        self.kinds = kinds
        columns = [[self.cell(kind, random) for _ in range(self.rows)] for kind in kinds]
        self.bad = self.spoil(columns, random) if random.random() < 0.4 else None
        end = random.choice(["\n", "\r\n"])
        lines = [self.separator.join(map(self.quoted, row)) for row in zip(*columns, strict=True)]
        self.names = [f"col {j}" if j % 2 else f"c{j}" for j in range(len(kinds))]
        if self.header:
            lines.insert(0, self.separator.join(self.names))
        lines = [""] * random.choice([0, 0, 3]) + lines
        if len(kinds) > 1 and random.random() < 0.3:
            lines.insert(random.randint(2, len(lines)), "")
        text = end.join(lines) + random.choice(["", end])
        text = random.choice(["", "\ufeff"]) + text
        self.bytes = text.encode()
        self.ending = ".tsv" if self.separator == "\t" else ".csv"
        if random.random() < 0.2:
            self.bytes, self.ending = gzip.compress(self.bytes), self.ending + ".gz"

    def cell(self, kind, random):
        if kind == "text":
            return random.choice(WORDS)
        if random.random() < 0.1:
            return random.choice(MARKS)
        value = random.choice(
            [random.gauss(0, 1), random.gauss(0, 1e9), random.randint(-99, 99) + 0.5]
        )
        spelled = random.choice(
            [repr, "{:.3f}".format, "{:.6e}".format, "{:+.2f}".format, "{:.4E}".format]
        )
        text = spelled(value)
        text = random.choice([text, text, f" {text}", f"{text} ", text.replace("0.", ".", 1)])
        return text.replace(".", ",") if self.comma else text

    def quoted(self, cell):
        if any(sign in cell for sign in '",;\n') or cell == "":
            return '"' + cell.replace('"', '""') + '"'
        return cell

    def spoil(self, columns, random):
        """Puts a cell that is no number among numbers; row (from 1), column and text."""
        j = random.choice([j for j, kind in enumerate(self.kinds) if kind == "number"])
        i = random.randrange(self.rows)
        # A word above numbers is a name.
        words = DOUBTFUL + WRONG if self.header or i > 0 else DOUBTFUL
        columns[j][i] = random.choice(words)
        numbers = sum(cell not in MARKS for cell in columns[j])
        return (i + 1, j, columns[j][i]) if numbers > 2 else (None, j, columns[j][i])


def by_pandas(path, made, *marks):
    """The cells as pandas has them when told what nrdr has to find out; NaN if missing."""
    return pd.read_csv(
        path, sep=made.separator, na_values=[*MARKS, *marks], header=0 if made.header else None,
        skipinitialspace=True, encoding="utf-8-sig", dtype=str,
    )  # fmt: skip


def check(found, expected, made):
    """That nothing of what pandas has is lost or changed."""
    assert (found["rows"], found["dropped"]) == (made.rows, 0) and len(expected) == made.rows
    names = made.names if made.header else [f"x{j + 1}" for j in range(len(made.kinds))]
    numbers = [name for name, kind in zip(names, made.kinds, strict=True) if kind == "number"]
    assert found["names"] == numbers
    assert [column["name"] for column in found["text"]] == [n for n in names if n not in numbers]
    expected.columns = names
    width = len(numbers)
    for place, name in enumerate(numbers):
        ours = [math.nan if v is None else v for v in found["values"][place::width]]
        cells = expected[name].str.strip().str.replace(",", "." if made.comma else ",")
        theirs = [math.nan if pd.isna(cell) else float(cell) for cell in cells]
        assert all(a == b or (a != a and b != b) for a, b in zip(ours, theirs, strict=True)), name
    for column in found["text"]:
        cells = expected[column["name"]]
        assert column["cells"] == [cell.strip() for cell in cells]


@pytest.mark.parametrize("seed", range(CASES))
def test_nothing_is_lost(seed, table, tmp_path):
    made = Made(random.Random(seed))
    path = tmp_path / f"t{made.ending}"
    path.write_bytes(made.bytes)
    ran = table(path, "keep")
    if made.bad is None:
        assert ran.returncode == 0, ran.stderr
        check(json.loads(ran.stdout), by_pandas(path, made), made)
        return
    row, j, text = made.bad
    name = made.names[j] if made.header else f"x{j + 1}"
    if ran.returncode == 0:
        # Too few numbers are left for the column to be one of numbers: it is there as text.
        assert row is None
        assert name in [column["name"] for column in json.loads(ran.stdout)["text"]]
        return
    assert ran.returncode == 2
    assert f'column "{name}" is "{text}"' in ran.stderr, ran.stderr
    assert f"row {row} " in ran.stderr or row is None
    # Called missing, it takes nothing else with it.
    again = table(path, "keep", "auto", text)
    assert again.returncode == 0, again.stderr
    check(json.loads(again.stdout), by_pandas(path, made, text), made)
