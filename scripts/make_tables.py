"""Makes the files of crates/nrdr-io/tests/formats: a few numbers in every format, by others.

    python scripts/make_tables.py [folder]

The files in the repository were made with Python 3.11.7, NumPy 2.4.6, SciPy 1.17.1, pandas 2.3.3,
anndata 0.12.19, h5py 3.16.0, pyarrow 26.0.1 and openpyxl 3.1.5.

The matrix has 12 rows and 5 columns. With k = 3 i + j its number (i, j) is 0 if k is divisible by 4
and k / 7 otherwise; pixel (x, y) of picture n is 100 n + 10 y + x. crates/nrdr-io/tests/formats.rs
says the same.
"""

from __future__ import annotations

import datetime
import gzip
import struct
import sys
import warnings
from pathlib import Path

import anndata
import h5py
import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import scipy.io
import scipy.sparse as sp

FOLDER = Path(__file__).parent.parent / "crates/nrdr-io/tests/formats"
ROWS, COLUMNS = 12, 5
PLACES = 3 * np.arange(ROWS)[:, None] + np.arange(COLUMNS)
MATRIX = np.where(PLACES % 4 == 0, 0.0, PLACES / 7)
NAMES = [f"gene{j}" for j in range(COLUMNS)]
KINDS = [["red", "green", "blue"][i % 3] for i in range(ROWS)]
CELLS = [f"cell{i}" for i in range(ROWS)]
COUNTS = [10**15 + i for i in range(ROWS)]
# Picture n, line y, place x.
PICTURES = np.fromfunction(lambda n, y, x: 100 * n + 10 * y + x, (6, 3, 4))
DIGITS = np.arange(6) % 3


def labels(folder: Path) -> None:
    """Files with a label for each row of the matrix."""
    codes = np.arange(ROWS) % 3
    (folder / "headed.csv").write_text("\n".join(["kind", *KINDS]) + "\n")
    (folder / "bare.csv").write_text("\n".join(KINDS) + "\n")
    np.save(folder / "codes.npy", codes)
    np.save(folder / "whole.npy", codes[None, :].astype(float))
    np.save(folder / "broken.npy", codes / 2)
    np.save(folder / "kinds.npy", np.array(KINDS))
    np.save(folder / "bytes.npy", np.array(KINDS, dtype="S5"))
    np.save(folder / "big.npy", np.array(["größe", "大"] * 6).astype(">U5"))
    np.save(folder / "objects.npy", np.array(KINDS, dtype=object), allow_pickle=True)
    head = bytes([0, 0, 8, 1]) + struct.pack(">I", ROWS)
    packed = gzip.compress(head + codes.astype("u1").tobytes(), mtime=0)
    (folder / "some-labels-idx1-ubyte.gz").write_bytes(packed)


def arrays(folder: Path) -> None:
    """NPZ, sparse and not, and Matrix Market."""
    several = {"X": MATRIX, "y": np.arange(ROWS) % 3, "names": np.array(KINDS), "wide": np.eye(3)}
    np.savez(folder / "several.npz", **several, objects=np.array(KINDS, dtype=object))
    sparse = sp.csr_matrix(MATRIX)
    sp.save_npz(folder / "csr.npz", sparse)
    sp.save_npz(folder / "csc.npz", sparse.tocsc(), compressed=False)
    sp.save_npz(folder / "coo.npz", sp.coo_array(sparse))
    sp.save_npz(folder / "bsr.npz", sparse.tobsr((3, 5)))
    sp.save_npz(folder / "dia.npz", sparse.todia())
    # Two numbers at one place count together.
    twice = sp.coo_matrix(([1.5, 2.0, 4.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    sp.save_npz(folder / "twice.npz", twice)
    scipy.io.mmwrite(folder / "general.mtx", sparse, precision=17)
    scipy.io.mmwrite(folder / "array.mtx", MATRIX, precision=17)
    square = np.round(MATRIX[:5] * 7).astype(int)
    symmetric = square + square.T
    scipy.io.mmwrite(folder / "symmetric.mtx", sp.csr_matrix(symmetric), symmetry="symmetric")
    skew = (square - square.T).astype(float)
    scipy.io.mmwrite(folder / "skew.mtx", skew, symmetry="skew-symmetric")
    scipy.io.mmwrite(folder / "pattern.mtx", sparse.astype(bool), field="pattern")
    scipy.io.mmwrite(folder / "complex.mtx", sparse * 1j)
    text = (folder / "general.mtx").read_bytes()
    (folder / "packed.mtx.gz").write_bytes(gzip.compress(text, mtime=0))
    # As Cell Ranger writes it: a row for each gene.
    comment = 'metadata_json: {"format_version": 2}'
    scipy.io.mmwrite(folder / "matrix.mtx", sparse.T.astype(int), comment=comment)


def matlab(folder: Path) -> None:
    """MAT files, that of version 7.3 by h5py."""
    cells = np.array([["one"], ["two"], [""], ["größe"], ["one"], ["two"]], dtype=object)
    known = {
        "P": PICTURES.transpose(1, 2, 0),
        "y": DIGITS[:, None],
        "row": DIGITS[None, :].astype(float),
        "cells": cells,
        "letters": np.array(["ab ", "cde", "f  "] * 2),
        "half": DIGITS / 2,
        "wide": np.eye(6),
        "sparse": sp.csc_matrix(np.eye(2)),
    }
    scipy.io.savemat(folder / "pictures.mat", known)
    scipy.io.savemat(folder / "packed.mat", known, do_compression=True)
    scipy.io.savemat(folder / "first.mat", {"Q": PICTURES})
    place = folder / "v73.mat"
    with h5py.File(place, "w", userblock_size=512) as file:
        pictures = PICTURES.transpose(1, 2, 0)
        for name, values in {"X": MATRIX, "P": pictures, "y": DIGITS[:, None]}.items():
            # MATLAB has the first dimension last.
            file[name] = values.T
            file[name].attrs["MATLAB_class"] = np.bytes_("double")
    head = b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM"
    with place.open("r+b") as file:
        file.write(head)


def hdf5(folder: Path) -> None:
    """HDF5 with arrays of several kinds."""
    with h5py.File(folder / "several.h5", "w", libver="latest") as file:
        file.create_dataset("group/X", data=MATRIX, chunks=(5, 3), compression="gzip", shuffle=True)
        file["single"] = MATRIX.astype(">f4")
        file["P"] = PICTURES.astype("i2")
        file["y"] = np.arange(ROWS) % 3
        file["truth"] = np.arange(ROWS) % 2 == 0
        file["names"] = KINDS
        file["fixed"] = np.array(KINDS, dtype="S5")
        file["scalar"] = 1.0
        file["four"] = np.zeros((1, 2, 1, 2))
    with h5py.File(folder / "one.h5", "w") as file:
        file.create_dataset("X", data=MATRIX, compression="lzf")


def cells(folder: Path) -> None:
    """AnnData."""
    obs = pd.DataFrame(
        {
            "kind": pd.Categorical(KINDS),
            "note": [f"n{i % 2}" for i in range(ROWS)],
            "score": np.arange(ROWS) / 4,
            "good": np.arange(ROWS) % 2 == 0,
            "seen": pd.array([None, 1, 2] * 4, dtype="Int64"),
        },
        index=pd.Index(CELLS, name="cell"),
    )
    obs.loc["cell5", "kind"] = None
    var = pd.DataFrame(index=NAMES)
    sparse = sp.csr_matrix(MATRIX)
    csc = sparse.tocsc()
    matrices = [("dense", MATRIX, None), ("csr", sparse, "gzip"), ("csc", csc, "lzf")]
    for name, matrix, packing in matrices:
        data = anndata.AnnData(matrix, obs=obs if name == "dense" else obs[["kind"]], var=var)
        if name == "dense":
            data.obsm["X_pca"] = MATRIX[:, 2:0:-1].copy()
            data.layers["counts"] = sp.csr_matrix(np.round(7 * MATRIX))
        place = folder / f"{name}.h5ad"
        data.write_h5ad(place, compression=packing)
        # They are mostly zeros, and the repository is to stay small.
        place.with_suffix(".h5ad.gz").write_bytes(gzip.compress(place.read_bytes(), mtime=0))
        place.unlink()
    # As Cell Ranger writes it, now and before: a row for each gene, and column after column.
    for name, group, names in [
        ("ranger", "matrix", "features/name"),
        ("genome", "hg19", "gene_names"),
    ]:
        with h5py.File(folder / f"{name}.h5", "w", libver="latest") as file:
            for part in ["data", "indices", "indptr"]:
                file[f"{group}/{part}"] = getattr(sparse, part)
            file[f"{group}/shape"] = np.array([COLUMNS, ROWS], dtype="i4")
            file[f"{group}/barcodes"] = np.array(CELLS, dtype="S6")
            file[f"{group}/{names}"] = np.array(NAMES, dtype="S6")
    # The least that there must be, in the newer layout of HDF5.
    with h5py.File(folder / "least.h5ad", "w", libver="latest") as file:
        for part in ["data", "indices", "indptr"]:
            file[f"X/{part}"] = getattr(sparse, part)
        file["X"].attrs.update({"encoding-type": "csr_matrix", "shape": sparse.shape})
        for table, names in [("obs", CELLS), ("var", NAMES)]:
            file[f"{table}/_index"] = np.array(names, dtype="S6")
        file["obs/kind/codes"] = np.array([2, 1, 0] * 4, dtype="i1")
        file["obs/kind/categories"] = ["blue", "green", "red"]
        file["obs/kind"].attrs["encoding-type"] = "categorical"
    # As versions before 0.8 wrote it.
    with h5py.File(folder / "old.h5ad", "w", libver="latest") as file:
        file["X"] = MATRIX.astype("f4")
        file["obs/index"] = CELLS
        file["obs"].attrs["_index"] = "index"
        file["obs"].attrs["column-order"] = ["kind"]
        file["obs/__categories/kind"] = ["blue", "green", "red"]
        file["obs/kind"] = np.array([2, 1, 0] * 4, dtype="i1")
        file["var/index"] = NAMES
        file["var"].attrs["_index"] = "index"
    # As versions before 0.7 wrote it: tables are arrays of records.
    with h5py.File(folder / "records.h5ad", "w", libver="latest") as file:
        file["X"] = MATRIX.astype("f4")
        fields = [("index", "S8"), ("kind", "i1"), ("score", "<f4"), ("note", "S5"), ("good", "?")]
        cells = zip(CELLS, [2, 1, 0] * 4, np.arange(ROWS) / 4, KINDS, np.arange(ROWS) < 2)
        texts = (tuple(v.encode() if isinstance(v, str) else v for v in cell) for cell in cells)
        file["obs"] = np.array(list(texts), dtype=fields)
        file["uns/kind_categories"] = np.array(["blue", "green", "red"], dtype="S5")
        matrices = np.zeros(ROWS, dtype=[("X_pca", "<f4", (2,)), ("X_one", "<f8", (1,))])
        matrices["X_pca"] = MATRIX[:, [2, 1]]
        matrices["X_one"] = MATRIX[:, [3]]
        file["obsm"] = matrices
        file["var"] = np.array([(name.encode(),) for name in NAMES], dtype=[("index", "S8")])
        file["raw.var"] = file["var"][:]
        raw = sp.csr_matrix(MATRIX)
        for name in ["data", "indices", "indptr"]:
            file[f"raw.X/{name}"] = getattr(raw, name)
        file["raw.X"].attrs["h5sparse_format"] = "csr"
        file["raw.X"].attrs["h5sparse_shape"] = raw.shape


def workbook(folder: Path) -> None:
    """Excel: a sheet that begins in its second row and column, and another."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "First sheet"
    for j, name in enumerate([*NAMES, "kind", "day", "noon", "truth"]):
        sheet.cell(2, j + 2, name)
    for i in range(ROWS):
        # The fourth row is blank.
        row = i + 3 if i < 1 else i + 4
        for j in range(COLUMNS):
            sheet.cell(row, j + 2, MATRIX[i, j])
        sheet.cell(row, 7, f"{KINDS[i]} & <{i % 2}>")
        sheet.cell(row, 8, datetime.date(2024, 2, 28) + datetime.timedelta(days=i))
        sheet.cell(row, 9, datetime.datetime(1999, 12, 31, 12, 30))
        sheet.cell(row, 10, i % 2 == 0)
    other = book.create_sheet("Other")
    for row in [["x", "y"], [1, 2.5], [3, "#N/A"], ["5", "1,5"]]:
        other.append(row)
    other["B3"].data_type = "e"
    gaps = book.create_sheet("Gaps")
    for row in [["x", "y"], [1, 2.5], [3, "#DIV/0!"], [4, None], [5, 6]]:
        gaps.append(row)
    gaps["B3"].data_type = "e"
    book.save(folder / "book.xlsx")


def arrow(folder: Path) -> None:
    """Feather and Arrow, packed and not, with columns of all kinds."""
    table = pa.table(
        {
            **{name: MATRIX[:, j] for j, name in enumerate(NAMES)},
            "kind": pa.array(KINDS).dictionary_encode(),
            "note": pa.array([None if i % 4 == 1 else f"n{i % 2}" for i in range(ROWS)]),
            "count": pa.array(COUNTS),
            "good": pa.array([None if i == 2 else i % 2 == 0 for i in range(ROWS)]),
        }
    )
    # Pieces of different lengths.
    pieces = pa.Table.from_batches(table.slice(0, 5).to_batches() + table.slice(5).to_batches())
    feather.write_feather(pieces, folder / "lz4.feather", chunksize=5)
    feather.write_feather(table, folder / "zstd.feather", compression="zstd")
    feather.write_feather(table, folder / "plain.arrow", compression="uncompressed")
    with pa.ipc.new_stream(folder / "stream.arrow", table.schema) as out:
        out.write_table(table, max_chunksize=4)
    kinds = {
        "list": pa.array([[1, 2], None, [3]]),
        "record": pa.array([{"a": 1, "b": "x"}, None, {"a": 2, "b": "y"}]),
        "day": pa.array([datetime.date(2024, 1, 1)] * 3),
        "bytes": pa.array([b"a", b"b", None]),
        "none": pa.nulls(3),
        "views": pa.array(["short", "a text of more than twelve bytes", None], pa.string_view()),
        "large": pa.array(["a", "b", "a"], pa.large_string()),
        "half": pa.array(np.array([0.5, 1.5, -2.0], dtype="f2")),
        "single": pa.array([0.1, 0.2, 0.3], pa.float32()),
        "small": pa.array([-1, 2, 3], pa.int8()),
        "unsigned": pa.array([2**64 - 1, 1, 2], pa.uint64()),
    }
    feather.write_feather(pa.table(kinds), folder / "kinds.feather")
    feather.write_feather(pd.DataFrame({"x": [1.0, 2.0]}), folder / "old.feather", version=1)


def main() -> None:
    """Writes all of them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    for make in [labels, arrays, matlab, hdf5, cells, workbook, arrow]:
        make(folder)
    for path in sorted(folder.iterdir()):
        assert path.stat().st_size < 20_000, f"{path} has {path.stat().st_size} bytes"


if __name__ == "__main__":
    main()
