"""Times of one form are read by Arrow as they are read text by text; mixed ones stay texts."""

import numpy as np
import pyarrow as pa
import pytest

from sfumato.engine.sql.fixes import stamps_of
from sfumato.table.clock import read_times

RNG = np.random.default_rng(7)
SECONDS = [*RNG.integers(-(10**9), 4 * 10**9, 3000).tolist(), 0, -1, 1_774_747_800, 1_774_745_999, 1_792_893_600]
"""Among them hours in which clocks of Paris were put forward and back."""
DATES = [str(np.datetime64(s, "s")) for s in SECONDS]
COLUMNS = {
    "numbers": [*map(str, SECONDS), "-0", "007", str(10**15 - 1), str(-(10**15) + 1), None],
    "clocks": [*DATES, *[d.replace("T", " ") + ".5" for d in DATES[:99]], *[d[:16] for d in DATES[:99]], "2026-01-01", None, "9999-12-31 23:59:59.999", "0000-01-01"],
    "moments": [*[d + z for d, z in zip(DATES, ["Z", "+02", "-0330", "+05:45"] * 751 + ["Z"], strict=True)], None, "1970-01-01 00:00:00.123Z"],
}  # fmt: skip


@pytest.mark.parametrize("form", COLUMNS)
@pytest.mark.parametrize("written", ["local", "utc", "seconds", "milliseconds"])
def test_stamps_say_what_the_texts_say(form, written):
    cells = COLUMNS[form]
    stamps = stamps_of(pa.array(cells, pa.string()))
    assert stamps.form == form
    texts = [cell for cell in cells if cell is not None]
    place = np.cumsum([cell is not None for cell in cells]) - 1
    slow = read_times(texts, "Europe/Paris", written).at(np.where([cell is None for cell in cells], -1, place))
    fast = stamps.read("Europe/Paris", written)
    assert fast.is_read.tolist() == slow.is_read.tolist()
    assert fast.time[fast.is_read].tolist() == slow.time[slow.is_read].tolist()
    assert fast.is_skipped.tolist() == slow.is_skipped.tolist()
    assert fast.is_twofold.tolist() == slow.is_twofold.tolist()
    assert fast.is_read.any() == (
        {"numbers": written in {"seconds", "milliseconds"}}.get(form, written in {"local", "utc"})
    )


@pytest.mark.parametrize(
    "odd", ["0x10", "+5", " 5", "5.0", "soon", "2026-02-30", "2026-01-01 10", "2026/01/01", "1" * 16, ""]
)
def test_a_column_with_another_form_stays_texts(odd):
    for first in ("5", "2026-01-01 10:00:00", "2026-01-01 10:00:00Z", None):
        assert stamps_of(pa.array([first, odd], pa.string())) is None
    assert stamps_of(pa.array([None], pa.string())) is None
    assert stamps_of(pa.array([], pa.string())) is None
