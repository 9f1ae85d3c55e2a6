"""Tables that would mislead."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

import nrdr


@pytest.fixture(scope="module")
def frame(roll):
    return pd.DataFrame(roll[0][:300], columns=["x", "y", "z"])


def test_scales(frame):
    with pytest.warns(
        UserWarning, match=r'column "y" varies \d+ times as much as column "'
    ) as told:
        nrdr.LaplacianEigenmaps().fit(frame.assign(y=1000 * frame["y"]))
    assert str(told[0].message).endswith(": use sklearn.preprocessing.StandardScaler")
    assert told[0].filename == __file__


def test_counting(frame):
    with pytest.warns(UserWarning, match=r'column\(s\) "Unnamed: 0" number the rows'):
        nrdr.LaplacianEigenmaps().fit(frame.assign(**{"Unnamed: 0": np.arange(300.0)}))
    with pytest.warns(UserWarning, match=r"column\(s\) 3 number the rows.*: leave them out"):
        nrdr.LTSA().fit_transform(np.column_stack([frame, np.arange(300)]))


def test_copies(frame):
    copies = pd.concat([frame, *[frame[:5]] * 12])
    with pytest.warns(UserWarning, match=r"60 row\(s\) are copies .* or use n_neighbors 13"):
        nrdr.LaplacianEigenmaps(n_neighbors=15).fit(copies)


def test_what_does_not_mislead_is_a_note(frame):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = nrdr.LaplacianEigenmaps().fit(
            pd.concat([frame.assign(c=1.0), frame.assign(c=1.0)[:1]])
        )
        wide = nrdr.LaplacianEigenmaps(n_neighbors=5).fit(np.random.default_rng(0).random((30, 40)))
    assert fitted.report_["notes"] == [
        '1 column(s) are constant and count for nothing: "c"',
        "1 row(s) are copies of others, up to 2 are the same: leave them out unless they count",
    ]
    assert wide.report_["notes"] == [
        "there are more columns (40) than rows (30), and distances of noise are alike: "
        "use sklearn.decomposition.PCA"
    ]
    with pytest.warns(UserWarning) as told:
        fitted = nrdr.LaplacianEigenmaps().fit(frame.assign(y=1000 * frame["y"]))
    assert fitted.report_["notes"] == [str(told[0].message)]


def test_nothing_to_say(frame):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nrdr.LaplacianEigenmaps().fit(frame)
        # Pixels: some are constant, many are narrow, and that is as it should be.
        nrdr.LaplacianEigenmaps().fit(load_digits().data[:400])
        nrdr.LaplacianEigenmaps().fit(frame.assign(c=1.0))
