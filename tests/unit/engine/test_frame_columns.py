from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from sfumato.engine import frame_columns
from sfumato.engine.frame_classes import classes_of_frame
from sfumato.engine.frame_columns import numbered


class Shouted(str):
    """A text that says something else than what it holds, and equals nothing."""

    __slots__ = ()
    __hash__ = None

    def __str__(self):
        return "other"

    def __eq__(self, other):
        return False


ALIKE = ["ab", str(b"ab", "ascii"), "ab", "b"]
NUMBERS = ["34", 34, 34.0, 34.5, Decimal(34), True]
MISSING = [None, float("nan"), pd.NA, pd.NaT, np.float64("nan")]
ODD = {
    "equal texts in objects of their own": ALIKE,
    "missing in every way": [*ALIKE, *MISSING],
    "numbers and texts": [*NUMBERS, *MISSING, "a"],
    "texts behind a zero byte": ["a\0b", "a\0c", "a", "", "\0"],
    "half of a pair": ["\ud800", "\ud801", "'\\ud800'", "\ud800"[:], None],
    "subclasses of str": [Shouted("x"), "x", Shouted("y"), np.str_("y"), "other"],
    "bytes are no text": ["a", b"a", "b'a'", (1, 2), (1, 2)],
    "nothing": [],
    "nothing but missing": MISSING,
    "a single one": ["a"],
}


def text_by_text(cells):
    """The text of each cell; None is missing, an object says what the first equal one said."""
    said = {}
    for cell in cells:
        if isinstance(cell, str):
            yield "".join(list(cell))
        elif isinstance(cell, tuple) or not pd.isna(cell):
            yield said.setdefault(cell, str(cell))
        else:
            yield None


@pytest.mark.parametrize("probed", [1, 0], ids=["by text", "by address"])
@pytest.mark.parametrize("values", ODD.values(), ids=ODD.keys())
def test_objects_say_what_they_say_one_by_one(values, probed, monkeypatch):
    """In order, repeated, and every second cell of an array; few objects or one a cell."""
    monkeypatch.setattr(frame_columns, "_PROBED", probed)
    cells = np.empty(len(values), object)
    cells[:] = values
    drawn = cells[np.random.default_rng(7).integers(0, len(cells), 200)] if len(cells) else cells
    for some in (cells, drawn, drawn[::-2], drawn[:1]):
        series = pd.Series(some, dtype=object)
        column = numbered(pd.DataFrame({"c": series}), ["c"])["c"]
        assert [column.texts[i] for i in column.number.tolist()] == list(text_by_text(some))


def test_texts_that_differ_behind_a_zero_byte_are_two_classes():
    """Pandas before 3 reads texts as C does: it would find one class of four."""
    frame = pd.DataFrame({"zip": pd.Series(["a\0b", "a\0c", "a", "a"], dtype=object)})
    assert classes_of_frame(frame, ["zip"]).persons.tolist() == [2, 1, 1]


def test_a_column_of_many_objects_is_read_at_one_cell_of_each():
    """Objects that come up first behind the rows that are probed have their own texts."""
    cells = np.array([f"v{i}" for i in range(5)], object)[np.arange(4000) // 800]
    column = numbered(pd.DataFrame({"c": pd.Series(cells, dtype=object)}), ["c"])["c"]
    assert len(column.texts) == 5
    assert [column.texts[i] for i in column.number.tolist()] == cells.tolist()
