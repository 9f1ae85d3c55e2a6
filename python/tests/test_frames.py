"""Frames of pandas and polars: columns go in, come out and are refused by their names."""

import json
import subprocess
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import nrdr

NAMES = ["height", "width", "depth"]


@pytest.fixture(scope="module")
def frame(roll):
    """Points with names, labels, and rows that are not counted."""
    X, truth = roll[0][:300], roll[1][:300]
    rows = [f"r{i}" for i in range(len(X))]
    kind = np.where(truth[:, 0] > 9, "outer", "inner")
    return pd.DataFrame(X, columns=NAMES, index=rows).assign(kind=kind)


def both(frame):
    """The same of pandas and of polars."""
    return frame, pl.DataFrame({name: frame[name].to_list() for name in frame.columns})


#: A column that is no number, of pandas and of polars, and what is said of it.
COLUMNS = [
    (pd.Series(["a", "b", "3.5"] * 100), pl.Series(["a", "b", "3.5"] * 100), "'a' in row 0"),
    (
        pd.Series([1.0, None, "tall"] * 100, dtype=object),
        pl.Series([1.0, None, "tall"] * 100, dtype=pl.Object),
        "'tall' in row 2",
    ),
    (
        pd.Series([1, 2, 3] * 100, dtype="category"),
        pl.Series(["1", "2", "3"] * 100, dtype=pl.Categorical),
        "categories",
    ),
    (
        pd.Series(pd.date_range("2020", periods=300)),
        pl.Series(pd.date_range("2020", periods=300).to_numpy()),
        "dates",
    ),
]


@pytest.mark.parametrize(
    ("of_pandas", "of_polars", "what"), COLUMNS, ids=["text", "mixed", "categories", "dates"]
)
def test_columns_that_are_not_numbers_are_named(of_pandas, of_polars, what, frame):
    numbers = frame[NAMES]
    mixed = numbers.assign(**{"b\nad": of_pandas.to_numpy() if what != "categories" else 0})
    if what == "categories":
        mixed["b\nad"] = pd.Categorical(of_pandas)
    given = [(mixed, r"columns=['b\nad']")]
    given.append((both(numbers)[1].with_columns(of_polars.alias("b\nad")), r"['b\nad']"))
    for table, drop in given:
        with pytest.raises(ValueError) as refused:
            nrdr.LTSA().fit(table)
        message = f'column(s) "b\\nad" ({what}) are not numbers: leave them out, X.drop({drop}), or'
        assert str(refused.value).startswith(message)
        fitted = nrdr.LTSA().fit(numbers)
        with pytest.raises(ValueError, match="are not numbers"):
            fitted.transform(table)


def test_what_are_numbers_all_the_same(frame):
    numbers = frame[NAMES].assign(flag=True, whole=1, text="2.5")
    numbers["nullable"] = pd.array([1] * 300, dtype="Int64")
    plain = np.column_stack([frame[NAMES], np.tile([1, 1, 2.5, 1], (300, 1))])
    ours = nrdr.LTSA().fit_transform(plain)
    for table in both(numbers):
        assert np.array_equal(nrdr.LTSA().fit_transform(table), ours)


def test_many_wrong_columns_are_counted(frame):
    wrong = frame[NAMES].assign(**{f"t{i}": "x" for i in range(8)})
    with pytest.raises(ValueError, match=r'"t4" \(\'x\' in row 0\) and 3 more are not numbers'):
        nrdr.Isomap().fit(wrong)


def test_names_in_errors_of_values(frame):
    broken = frame[NAMES].copy()
    broken.iloc[7, 1] = np.nan
    fitted = nrdr.LTSA().fit(frame[NAMES])
    for table in both(broken):
        for use in (nrdr.LTSA().fit, nrdr.LTSA().plan, fitted.transform):
            with pytest.raises(ValueError, match='row 7, column "width" holds NaN: remove the row'):
                use(table)
    with pytest.raises(ValueError, match="row 7, column 1 holds NaN"):
        nrdr.LTSA().fit(broken.to_numpy())


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_set_output(container, frame):
    index = 0 if container == "pandas" else 1
    table = both(frame[NAMES])[index]
    maps = nrdr.LaplacianEigenmaps().set_output(transform=container)
    found = maps.fit_transform(table)
    assert type(found) is type(table)
    assert list(found.columns) == ["laplacianeigenmaps0", "laplacianeigenmaps1"]
    again = maps.transform(table)
    assert np.allclose(again, found) and list(maps.feature_names_in_) == NAMES
    if container == "pandas":
        assert list(found.index) == list(table.index) == list(again.index)


def test_embed_gives_frames(frame):
    ours = nrdr.LTSA(n_neighbors=12).fit(frame[NAMES])
    for table in both(frame):
        found = nrdr.embed(table, label="kind", method="ltsa", n_neighbors=12)
        assert type(found.embedding) is type(table) and list(found.points.columns) == NAMES
        assert np.array_equal(found.embedding, ours.embedding_)
        assert list(found.embedding.columns) == ["ltsa0", "ltsa1"]
        if isinstance(table, pd.DataFrame):
            assert list(found.embedding.index) == list(frame.index)
        assert np.array_equal(found.redundancy, ours.redundancy_)
        assert found.quality["accuracy"] > 0.6 and ours.quality_["accuracy"] is None
        same = {**found.quality, "accuracy": None}
        same["original"] = {**same["original"], "accuracy": None}
        assert same == ours.quality_
        assert "of the labels" in found.verdict and "of the labels" not in ours.report_["verdict"]
        assert repr(found) == (
            "nrdr.embed(data, label='kind', method='ltsa', n_neighbors=12): 300 points, "
            f"2 coordinate(s)\n{found.verdict}"
        )


def test_embed_is_the_command_line(frame, program, tmp_path):
    """The same columns are left out, the same label is looked at, the same bits come out."""
    table = frame.assign(site=["a", "b", "7"] * 100, mostly=["1.5", "2", "2"] * 100)
    table.to_csv(tmp_path / "x.csv", index=False)
    command = [program, "embed", "x.csv", "--label", "kind", "-o", "y.npy", "--json", "run.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with pytest.warns(UserWarning, match="column.s. of text are left out: ") as told:
        found = nrdr.embed(table, label="kind")
    texts = [str(one.message) for one in told if "left out" in str(one.message)]
    assert texts == ['column(s) of text are left out: "site" (100 of its cells are numbers)']
    assert f"note: {texts[0]}\n" in done.stdout and told[0].filename == __file__
    assert np.array_equal(found.embedding, np.load(tmp_path / "y.npy"))
    theirs = json.loads((tmp_path / "run.json").read_text())
    assert found.quality["accuracy"] == theirs["quality"]["accuracy"]
    mixed = table.assign(mostly=["1.5", "2", "tall"] * 100)
    mixed.to_csv(tmp_path / "x.csv", index=False)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and "tall" in done.stderr and "mostly" in done.stderr
    with pytest.raises(ValueError, match=r'"mostly" \(\'tall\' in row 2\) are not numbers'):
        nrdr.embed(mixed, label="kind")


def test_embed_takes_arrays(frame):
    X, kind = frame[NAMES].to_numpy(), frame["kind"].to_numpy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = nrdr.embed(X, label=kind, method="isomap", strategy="orthogonal")
    isomap = nrdr.Isomap(strategy="orthogonal").fit(X)
    assert type(found.embedding) is np.ndarray
    assert np.array_equal(found.embedding, isomap.embedding_)
    assert found.quality["original"] is None and found.label is kind
    assert found.call == ("nrdr.embed(data, label=label, method='isomap', strategy='orthogonal')")
    alone = nrdr.embed(X)
    assert alone.label is None and alone.quality["accuracy"] is None
    assert alone.verdict == alone.estimator.report_["verdict"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"label": "sort"}, "label = 'sort' is no column of data: there are \"height\", "),
        ({"label": ["a", "b"]}, r"inconsistent numbers of samples: \[300, 2\]"),
        ({"method": "pca"}, "method = 'pca' is out of range: it must be lem, dfm, "),
        ({"strategy": "priecd"}, "strategy = 'priecd' is out of range: it must be "),
    ],
    ids=str,
)
def test_embed_refuses(given, message, frame):
    with pytest.raises(ValueError, match=message):
        nrdr.embed(frame.drop(columns="kind"), **given)


def test_embed_refuses_what_holds_nothing(frame):
    with pytest.raises(ValueError, match="data has no columns of numbers: give at least one"):
        nrdr.embed(frame[["kind"]])
    with pytest.raises(ValueError, match="label = 'kind' must be an array: data has no names"):
        nrdr.embed(frame[NAMES].to_numpy(), label="kind")
    with pytest.raises(TypeError, match="neighbours"):
        nrdr.embed(frame[NAMES], neighbours=5)
