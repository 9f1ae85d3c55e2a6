"""Writes the seeds of the fuzzers: a few small files of each format.

    python3 fuzz/make_corpus.py target/debug/nrdr

The first byte of each chooses options, as fuzz/src/entries.rs reads it. What a fuzzer finds is
added by hand and stays.
"""

from __future__ import annotations

import gzip
import io
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"
SAID, DROP, KEEP, HEADER_YES, HEADER_NO, LABEL, TABS, PACKED = 1, 2, 4, 16, 24, 32, 64, 128

TEXTS = {
    "plain": "a,b\n1,2\n3,4\n",
    "bare": "1.5,-2e3\n.5,5.\n",
    "marks": "n.d.,0.2\n1,#N/A\n?,3\n-,4\n",
    "text": 'name,x\n"a, ""b""",1\nc,2\n',
    "spreadsheet": "\ufeffa;b\r\n1,5;2\r\n\r\n3;4,25\r\n",
    "odd": 'a,b\n5.1%,"1,000"\n0x10,1_000\n<0.01,1e400\n',
    "minus": "x\n\u22121\n2\n",
    "years": "a,b,2020\n1,2,3\n",
    "counted": ",0,1\n0,0.5,0.7\n",
    "blank": "\n \n\na,b\n1,2\n",
    "ragged": "a,b\n1\n",
    "quote": 'a,b\n"1,2\n',
    "pipes": "a|b\n1|2\n",
    "blanks": "# x y\n  1.5   2e3\n -4 \t5\n",
    "trailing": "a,b\n1,2,\n3,4,\n",
    "rownames": '"x" "y"\n"1" 1.5 2\n"2" 3 4\n',
}


def npy(descr: str, fortran: bool, shape: str, data: bytes) -> bytes:
    """An array as numpy.save writes it."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def idx(kind: int, sizes: list[int], data: bytes) -> bytes:
    """An array as MNIST has it."""
    return bytes([0, 0, kind, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes) + data


def part(kind: int, data: bytes) -> bytes:
    """A part of a MAT file."""
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def matrix(name: str, rows: int, columns: int, values: list[float]) -> bytes:
    """A matrix of a MAT file."""
    numbers = struct.pack(f"<{len(values)}d", *values)
    sizes = struct.pack("<II", rows, columns)
    flags = struct.pack("<II", 6, 0)
    return part(14, part(6, flags) + part(5, sizes) + part(1, name.encode()) + part(9, numbers))


def mat(*elements: bytes) -> bytes:
    """A MAT file."""
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + b"".join(elements)


def png(width: int, height: int, color: int, depth: int, claimed: int | None = None) -> bytes:
    """A picture of zeros, which may claim to be wider than it is."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    samples = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    rows = (b"\x00" + bytes(width * samples * depth // 8)) * height
    head = struct.pack(">IIBBBBB", claimed or width, height, depth, color, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def archive(method: int, **arrays: bytes) -> bytes:
    """A ZIP archive of arrays, dated the same every time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, data in arrays.items():
            file.writestr(zipfile.ZipInfo(f"{name}.npy"), data, method)
    return out.getvalue()


def packed(data: bytes) -> bytes:
    """By gzip, dated the same every time."""
    return gzip.compress(data, mtime=0)


def by_program(program: str) -> dict[str, dict[str, tuple[int, bytes]]]:
    """What the program writes: tables and models."""
    models, tables = {}, {}
    with tempfile.TemporaryDirectory() as folder:

        def run(*arguments: str) -> None:
            subprocess.run([program, *arguments], check=True, capture_output=True, cwd=folder)

        def read(name: str) -> bytes:
            return (Path(folder) / name).read_bytes()

        for name, options in [("strip", 0), ("torus", LABEL)]:
            run("dataset", name, "-n", "12", "-o", "t.parquet")
            tables[name] = (options, read("t.parquet"))
        for method in ["lem", "lle", "isomap", "kpca"]:
            run("embed", "--dataset", "strip", "-n", "12", "-k", "4", "-d", "2", "-m", method,
                "--model", "m", "-q")  # fmt: skip
            models[method] = (-1, read("m"))
        run("embed", "--dataset", "torus", "-n", "12", "-k", "5", "-s", "unpredictable",
            "--standardize", "--pca", "2", "--model", "m", "-q")  # fmt: skip
        models["prepared"] = (-1, read("m"))
        (Path(folder) / "holes.csv").write_text("a,b\n1,2\n,3\n4,\n2,2\n3,1\n5,5\n6,2\n")
        run("embed", "holes.csv", "-k", "3", "-d", "1", "--impute", "knn", "--model", "m", "-q")
        models["imputed"] = (-1, read("m"))
    return {"parquet": tables, "model": models}


# Files of other software, and what the first byte of the seed asks for.
LABELS = 192
FOREIGN = {
    "npz": {"csr.npz": 0, "coo.npz": 1, "bsr.npz": 0, "several.npz": LABELS},
    "mat": {"pictures.mat": 0, "first.mat": 1, "v73.mat": LABELS},
    "xlsx": {"book.xlsx": DROP, "book-turned": 1},
    "arrow": {"lz4.feather": DROP, "zstd.feather": KEEP, "stream.arrow": LABEL, "kinds.feather": 0},
    "mtx": {"general.mtx": 0, "array.mtx": 1, "skew.mtx": 0, "packed.mtx.gz": PACKED},
    "hdf5": {"one.h5": 0, "ranger.h5": 0, "several.h5": LABELS},
    "h5ad": {"old.h5ad": 0, "records.h5ad": 0, "least.h5ad": LABEL},
}  # fmt: skip


def foreign() -> dict[str, dict[str, tuple[int, bytes]]]:
    """The files of other software."""
    folder = CORPUS.parent.parent / "crates/nrdr-io/tests/formats"

    def content(name: str) -> bytes:
        return (folder / ("book.xlsx" if name == "book-turned" else name)).read_bytes()

    return {
        target: {name: (options, content(name)) for name, options in files.items()}
        for target, files in FOREIGN.items()
    }


def seeds() -> dict[str, dict[str, tuple[int, bytes]]]:
    """By target and name the byte of options, if there is one, and the content."""
    numbers = struct.pack("<6d", 1, 2, 3, 4, 5, 6)
    array = npy("<f8", False, "(3, 2)", numbers)
    both = matrix("X", 3, 2, [1, 2, 3, 4, 5, 6])
    squeezed = zlib.compress(both)
    texts = {name: (0, text.encode()) for name, text in TEXTS.items()}
    return {
        "csv": texts
        | {"drop": (DROP, TEXTS["marks"].encode()), "label": (LABEL, TEXTS["text"].encode())}
        | {"tabs": (TABS, b"a\tb\n1,5\t2\n"), "packed": (PACKED, packed(b"a,b\n1,2\n"))}
        | {"zeros": (PACKED, packed(b"0,0,0,0\n" * 2000))}
        | {"commas": (PACKED, packed(b"," * 5000))}
        | {"latin": (0, "größe,b\n1,2\n".encode("latin-1"))}
        | {"wide": (0, "größe;b\r\n1,5;2\r\n".encode("utf-16"))}
        | {"bare-wide": (TABS, "a\tb\n1\t2\n".encode("utf-16-be"))}
        | {"surrogate": (0, b"\xff\xfea\0\n\0\x00\xd81\0\n")}
        | {"said": (SAID, bytes([4 + 6 * 5 + 36 * 2]) + b"by\nme\na b\n1 2\n")}
        | {"japanese": (SAID, bytes([5 + 6 * 3]) + b"\x82\xa0,b\n1,2\n")},
        "npy": {
            "rows": (0, array),
            "columns": (1, npy("<f8", True, "(3, 2)", numbers)),
            "pictures": (0, npy("|u1", True, "(2, 2, 3)", bytes(range(12)))),
            "half": (KEEP, npy(">f2", False, "(3,)", b"\x3c\x00\x7c\x00\x7e\x00")),
            "promise": (0, npy("<f8", False, "(4000000, 100)", bytes(64))),
        },
        "npz": {
            "stored": (0, archive(zipfile.ZIP_STORED, a=array)),
            "deflated": (0, archive(zipfile.ZIP_DEFLATED, a=array)),
            "two": (0, archive(zipfile.ZIP_DEFLATED, a=array, b=array)),
        },
        "mat": {
            "plain": (0, mat(both)),
            "packed": (1, mat(struct.pack("<II", 15, len(squeezed)) + squeezed)),
        },
        "idx": {
            "plain": (0, idx(8, [2, 1, 2], bytes([1, 2, 3, 4]))),
            "packed": (PACKED, packed(idx(8, [2, 1, 2], bytes([1, 2, 3, 4])))),
            "zeros": (PACKED, packed(idx(8, [400, 100], bytes(40_000)))),
            "promise": (PACKED, packed(idx(8, [1, 4_194_304], b""))),
        },
        "images": {
            "grey": (0, png(3, 2, 0, 8)),
            "color": (0, png(3, 2, 6, 16)),
            "promise": (0, png(3, 2, 0, 8, claimed=4_000_000)),
        },
        "config": {
            "toml": (0, b'method = "dfm"\nneighbors = 15\nstandardize = true\ndrop = ["id"]\n'),
            "json": (1, b'{"config": {"method": "lem", "na": ["x", "-999"], "quiet": null}}'),
            "nested": (0, b"a = " + b"[" * 200),
            "unknown": (0, b"nothing = 1\n"),
        },
    }  # fmt: skip


def main() -> None:
    """Writes all of them."""
    program = str(Path(sys.argv[1]).resolve())
    everything = [*seeds().items(), *by_program(program).items(), *foreign().items()]
    for target, files in everything:
        folder = CORPUS / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, (options, content) in files.items():
            first = b"" if options < 0 else bytes([options])
            (folder / name).write_bytes(first + content)


if __name__ == "__main__":
    main()
