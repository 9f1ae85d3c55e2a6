"""Tables of pandas or polars: which of their columns are no numbers, and how more are made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _nrdr
from ._given import missing

#: Columns that an error names at most.
MOST_NAMED = 5


def is_frame(X: Any) -> bool:
    """Whether something is a table of pandas or polars."""
    return hasattr(X, "columns") and hasattr(X, "dtypes")


@dataclass(frozen=True)
class NoNumbers:
    """A column that holds no numbers, or not only.

    Attributes
    ----------
    name : object
        Its name.
    what : str
        What it holds instead.
    numbers, others : int
        How many of its cells are numbers all the same, and how many are not. Both are 0 where the
        type of the column tells.
    """

    name: Any
    what: str
    numbers: int = 0
    others: int = 0


def no_numbers(frame: Any) -> list[NoNumbers]:
    """The columns of a frame that hold no numbers, or not only."""
    typed = zip(frame.columns, frame.dtypes)
    found = (of_column(frame, place, *column) for place, column in enumerate(typed))
    return [column for column in found if column is not None]


def of_column(frame: Any, place: int, name: Any, dtype: Any) -> NoNumbers | None:
    """What is wrong with a column, by its type, or else by what is in it."""
    kind = kind_of(dtype)
    if kind == "numbers":
        return None
    if kind != "text":
        return NoNumbers(name, kind)
    # Also numbers, in a column that could hold anything.
    values = np.asarray(frame.iloc[:, place] if hasattr(frame, "iloc") else frame[name])
    there = np.flatnonzero(~missing(values))
    wrong = [row for row in there if not is_number(values[row])]
    if not wrong:
        return None
    what = f"{str(values[wrong[0]])!r} in row {wrong[0]}"
    return NoNumbers(name, _nrdr.printable(what), len(there) - len(wrong), len(wrong))


def kind_of(dtype: Any) -> str:
    """What a column of this type holds: numbers, categories, dates, or perhaps text."""
    # Types of polars can be asked, those of pandas have a letter.
    of_polars = getattr(dtype, "is_numeric", None)
    if of_polars is not None:
        letter = "f" if of_polars() or str(dtype) == "Boolean" else "O"
        letter = "M" if dtype.is_temporal() else letter
    else:
        letter = getattr(dtype, "kind", "O")
    if letter in "biufc":
        return "numbers"
    if letter in "mM" or str(dtype).startswith("period"):
        return "dates"
    return "categories" if str(dtype).lower().startswith(("cat", "enum")) else "text"


def is_number(value: Any) -> bool:
    """Whether a cell is a number, perhaps as text."""
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def check_numbers(frame: Any) -> None:
    """Refuses a frame with columns that hold no numbers, by their names."""
    wrong = no_numbers(frame)
    if not wrong:
        return
    told = [f"{quoted(column.name)} ({column.what})" for column in wrong[:MOST_NAMED]]
    more = f" and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
    names = [column.name for column in wrong]
    drop = f"columns={names!r}" if hasattr(frame, "iloc") else repr(names)
    raise ValueError(
        f"column(s) {', '.join(told)}{more} are not numbers: leave them out, X.drop({drop}), "
        "or encode them, as sklearn.preprocessing.OneHotEncoder does"
    )


def without(frame: Any, names: Iterable[Any]) -> Any:
    """A frame without some of its columns."""
    left_out = set(names)
    kept = [name not in left_out for name in frame.columns]
    if hasattr(frame, "iloc"):
        return frame.loc[:, kept]
    return frame[[name for name, is_kept in zip(frame.columns, kept) if is_kept]]


def like(frame: Any, values: np.ndarray, names: Iterable[str]) -> Any:
    """Values as a frame of the same kind with the same rows."""
    if hasattr(frame, "iloc"):
        return type(frame)(values, index=frame.index, columns=list(names))
    return type(frame)(values, schema=list(names))


def quoted(name: Any) -> str:
    """A name as messages show it."""
    return f'"{_nrdr.printable(str(name))}"'
