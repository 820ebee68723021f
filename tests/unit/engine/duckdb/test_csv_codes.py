"""Columns of a CSV file as codes: the cells as they are written, or None."""

import pytest

from sfumato.engine.duckdb import csv_codes
from sfumato.engine.duckdb.csv_codes import Lines, read_codes

ODD = ["", " ", "NA", "null", "#N/A", "1.0", "01", "é€", "'", "\\", "a b", "true", "2020-01-31"]
"""Cells that a reader that guesses would change, or hold for missing."""


def read(tmp_path, body, width=2, **more):
    """Columns as texts, of a file with a line before its rows."""
    path = tmp_path / "table.gz"  # which it is not
    path.write_bytes(b"first line\n" + body)
    told = {"delimiter": ";", "skip": 1, "n_rows": body.count(b"\n")} | more
    columns = read_codes(Lines(path, width=width, **told), 1 << 20)
    return columns and [[column.texts[place] for place in column.places.tolist()] for column in columns]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_cells_are_what_is_written_between_separators(tmp_path, newline):
    rows = [(one, two) for one in ODD for two in ODD]
    found = read(tmp_path, "".join(f"{one};{two}{newline}" for one, two in rows).encode())
    assert [*zip(*found, strict=True)] == rows


def test_blocks_number_their_texts_anew_and_late_ones_widen_the_codes(tmp_path, monkeypatch):
    """Texts come up in other orders from block to block, and more than a byte tells apart."""
    monkeypatch.setattr(csv_codes, "_BLOCK", 64)
    monkeypatch.setattr(csv_codes, "_OF_COLUMN", 1)
    rows = [(f"v{i * i % 701}", "ab"[i % 2]) for i in range(2_000)]
    found = read(tmp_path, "".join(f"{one};{two}\n" for one, two in rows).encode())
    assert [*zip(*found, strict=True)] == rows


@pytest.mark.parametrize(
    ("body", "more"),
    [
        (b"a;b\na\n", {}),
        (b"a;b\na;b;\n", {}),
        (b"a;b\n\na;b\n", {}),
        (b"a;b\na;b\n", {"n_rows": 1}),
        (b"a;b\na;b\n", {"n_rows": 3}),
        (b"a;b\n", {"n_rows": 1 << 20}),
        (b"a;b\n", {"delimiter": "::"}),
        (b"a;" + b"b" * 100 + b"\n", {}),
        (b"".join(b"%d;b\n" % i for i in range(10)), {}),
    ],
    ids=["too few", "too many", "blank", "fewer", "more", "too large", "separator", "longer than a block", "texts"],
)
def test_what_is_no_row_or_too_much_is_not_read(tmp_path, monkeypatch, body, more):
    monkeypatch.setattr(csv_codes, "_BLOCK", 40)
    monkeypatch.setattr(csv_codes, "_OF_COLUMN", 1)
    monkeypatch.setattr(csv_codes, "MOST_LABELS", 4)
    assert read(tmp_path, b"a;b\n" * 3, n_rows=3)
    assert read(tmp_path, body, **more) is None
