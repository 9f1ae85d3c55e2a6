"""Text tables read as pandas reads them: no row, column or number is lost without a message."""

import gzip
import io
import json
import math
import os
import random
import subprocess
from pathlib import Path

import numpy as np
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
        self.separator = random.choice([",", ",", ";", "\t", "|"])
        self.comma = self.separator != "," and random.random() < 0.5
        self.header = random.random() < 0.6
        self.rows = random.randint(3, 40)
        # A column alone has no separator that would tell decimal commas from others.
        least = 1 if self.separator in ";|" else 0
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
        self.encoding = random.choice(["utf-8", "utf-8-sig", "utf-16", "cp1252"])
        self.bytes = text.encode(self.encoding)
        self.ending = ".tsv" if self.separator == "\t" else ".csv"
        if len(kinds) > 1:
            self.ending = random.choice([".csv", ".tsv", ".txt"])
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
        skipinitialspace=True, encoding=made.encoding, dtype=str,
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


def saved(**options):
    """A table as savetxt of NumPy writes it."""
    to = io.StringIO()
    np.savetxt(to, np.random.default_rng(3).standard_normal((30, 3)), **options)
    return to.getvalue().encode()


FRAME = pd.DataFrame(
    {
        "größe": [1.5, -2.25, 3e-7, 4.0],
        "art": ["süß", 'a "b"', "c, d", "e;f|g"],
        "zahl": [1, 20, 300, -4],
        "x": [0.125, np.nan, 1e9, 7.5],
    }
)
REPORT = "Report of May\n\nby: somebody, with; all|signs\n"


def written(encoding="utf-8", before="", end="", **options):
    """A frame as pandas writes it, with lines before it and something at the end of each."""
    text = FRAME.to_csv(**{"index": False, **options})
    return (before + text.replace("\n", f"{end}\n")).encode(encoding)


#: Names of files, their bytes, what pandas has to be told to read them, and what nrdr has to be.
AWKWARD = [
    ("numpy.txt", saved(), {"sep": r"\s+", "header": None}, []),
    ("numpy.csv", saved(fmt="%9.4f"), {"sep": r"\s+", "header": None}, []),
    ("named.dat", saved(header="a b c", comments=""), {"sep": r"\s+"}, []),
    ("commented.txt", saved(header="made in May\nby hand"),
     {"sep": r"\s+", "header": None, "comment": "#"}, []),
    ("signs.txt", saved(delimiter=",", header="a,b,c", comments=""), {}, []),
    ("semicolons.txt", written(sep=";", decimal=","), {"sep": ";", "decimal": ","}, []),
    ("tabs.csv", written(sep="\t", decimal=","), {"sep": "\t", "decimal": ","}, []),
    ("pipes.csv", written(sep="|"), {"sep": "|"}, []),
    ("pipes.tsv", written(sep="|", decimal=","), {"sep": "|", "decimal": ","}, []),
    ("blanks.csv", written(sep=" ", na_rep="NA"), {"sep": " "}, []),
    ("latin.csv", written("latin-1"), {"encoding": "latin-1"}, []),
    ("western.tsv", written("cp1252", sep="\t"), {"encoding": "cp1252", "sep": "\t"}, []),
    ("excel.txt", written("utf-16", sep="\t", end="\r"), {"encoding": "utf-16", "sep": "\t"}, []),
    ("bare.csv", written("utf-16-le"), {"encoding": "utf-16-le"}, []),
    ("bare.tsv", written("utf-16-be", sep="\t"), {"encoding": "utf-16-be", "sep": "\t"}, []),
    ("skipped.csv", written(before=REPORT), {"skiprows": 3}, ["3"]),
    ("report.csv", written("utf-16", before=REPORT, sep=";", decimal=","),
     {"encoding": "utf-16", "skiprows": 3, "sep": ";", "decimal": ","}, ["3"]),
    ("hashes.csv", written(before="# by hand\n#\n"), {"comment": "#"}, []),
    ("trailing.csv", written(end=","), {"usecols": range(4)}, []),
    ("rows.txt", written(sep=" ", na_rep="NA", index=True, index_label=False), {"sep": " "}, []),
    ("rows.csv", written(index=True, index_label=False), {}, []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "told", "skip"), AWKWARD, ids=[a[0] for a in AWKWARD])
@pytest.mark.parametrize("packed", [False, True])
def test_awkward_files(name, content, told, skip, packed, table, tmp_path):
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(content) if packed else content)
    # Its usual way of reading numbers is off by a last digit here and there.
    expected = pd.read_csv(path, float_precision="round_trip", **told)
    ran = table(path, "keep", "auto", "", *skip)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    numbers = expected.select_dtypes("number")
    if told.get("header", 0) is None:
        numbers.columns = [f"x{j + 1}" for j in range(numbers.shape[1])]
    assert found["names"] == list(numbers.columns)
    values = np.array(found["values"], dtype=float).reshape(found["rows"], -1)
    np.testing.assert_array_equal(values, numbers.to_numpy(float))
    texts = expected.select_dtypes(exclude="number")
    columns = {column["name"]: column["cells"] for column in found["text"]}
    assert all(columns[name] == list(texts[name]) for name in texts)
    assert set(columns) - set(texts) <= {"rownames"}
