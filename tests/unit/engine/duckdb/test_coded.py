"""Large CSV files that are loaded as codes: the same rows, summaries and releases as cell by cell."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato
from sfumato.engine.duckdb import coded
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import SourceError
from sfumato.table.source import FileSource

ROWS = [
    "1,x,",
    "1,x,",
    "1,y,",
    ",,",
    "2,,y",
    "é,ü,€",
    "1,x",
    "1,x,,",
    '"1",x,',
    '"1,\n2",x,y',
    "",
    "a\x01,x,y",
    "id,town,sum",
]


BY_ARROW = "sfumato.engine.duckdb.csv_codes.read_codes"


@pytest.fixture
def small(monkeypatch):
    """Any file is large, any column has few texts, and most of them are seen late, by DuckDB."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BY_ARROW, lambda *_: None)
        patch.setattr("sfumato.engine.duckdb.delimited._SMALL", 0)
        patch.setattr("sfumato.engine.duckdb.delimited._LEAST_LINES", 0)
        patch.setattr(coded, "_PIECES", 1)
        patch.setattr(coded, "_PIECE", 40)
        patch.setattr(coded, "LEAST_REPEATED", 1)
        yield patch


def told(path, dialect):
    """Rows in order, header and labels of a file, or its refusal."""
    try:
        table = scan(FileSource(path, dialect=dialect))
    except SourceError as error:
        return str(error), {}
    return (table.connection.sql(f"SELECT * FROM {table.name}").fetchall(), table.header), table.labels


@settings(max_examples=25)
@given(
    rows=st.lists(st.sampled_from(ROWS), max_size=14),
    by_arrow=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
    quote=st.sampled_from(['"', ""]),
)
def test_codes_are_the_cells(tmp_path_factory, rows, by_arrow, newline, ends, quote):
    """In order, with the same refusals, notes and digest: ragged rows, quotes, blank lines, headers again."""
    path = tmp_path_factory.mktemp("t") / "table.csv"
    path.write_bytes((newline.join(["id,town,sum", "7,k,l", *rows]) + (newline if ends else "")).encode())
    dialect = {"delimiter": ",", "quote": quote}
    plain, none = told(path, dialect)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sfumato.engine.duckdb.delimited._SMALL", 0)
        patch.setattr("sfumato.engine.duckdb.delimited._LEAST_LINES", 0)
        patch.setattr(coded, "sampled", lambda path, copy: copy.write_bytes(b"7,k,l\n1,x,\n"))
        patch.setattr(coded, "LEAST_REPEATED", 1)
        if not by_arrow:
            patch.setattr(BY_ARROW, lambda *_: None)
        in_codes, labels = told(path, dialect)
    assert in_codes == plain
    assert not none
    for place, name in enumerate(("id", "town", "sum")):
        if name in labels:
            assert list(labels[name]) == sorted(labels[name])
            assert {row[1 + place] for row in plain[0]} <= set(labels[name])


def people(path, rows=400):
    """A table with rare texts at its end, codes for missing, several rows of a person and a column of different texts."""
    rng = Random(5)  # noqa: S311
    towns = ["Bern", "Chur", "Genf", "", "?", "n/a", "Zug", "Ober-Zug"]
    cells = [
        (f"p{rng.randrange(rows)}", rng.choice(towns[: 5 + (3 * i > 2 * rows)]), str(rng.randrange(20, 60)), rng.choice("fm"),
         rng.choice(["flu", "cold", "none"]), f"note {i}")
        for i in range(rows)
    ]  # fmt: skip
    path.write_text("who,town,age,sex,ill,note\n" + "".join(",".join(row) + "\n" for row in cells), "utf-8")


PLAN = """
sfumato = 1
[source]
path = "people.csv"
missing = ["?", "n/a"]
{unit}
[columns.who]
role = "identifying"
[columns.town]
role = "quasi-identifying"
hierarchy = {{ tree = {{ north = ["Bern", "Zug", "Ober-Zug", ""], south = ["Chur", "Genf"] }} }}
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = {{ width = 10, then = [20], start = 0 }}
[columns.sex]
role = "quasi-identifying"
[columns.ill]
role = "sensitive"
[columns.note]
role = "insensitive"
[[promise]]
model = "k-anonymity"
k = 3
[method]
name = {method}
[measure]
guesses = 20
queries = 20
loss_by_k = [2, 4]
[output]
path = "{folder}/release.csv"
result = "{folder}/result.json"
{more}
"""
CASES = [
    ('"full-domain"\nsuppression_limit = 0.1', "", 'suppressed = "star"'),
    ('"full-domain"\nsuppression_limit = 0.1', '[unit]\nperson = "who"', 'suppressed = "drop"'),
    ('"mondrian"', "", ""),
    ('"local-recoding"', "", ""),
    ('"cell-suppression"', "", ""),
]


@pytest.mark.parametrize(("method", "unit", "more"), CASES)
def test_a_release_from_codes_is_the_release_from_cells(small, tmp_path, monkeypatch, method, unit, more):
    monkeypatch.chdir(tmp_path)
    people(Path("people.csv"))
    found = []
    for folder in ("coded", "plain"):
        Path(folder).mkdir()
        Path(f"{folder}.toml").write_text(PLAN.format(method=method, unit=unit, folder="out", more=more))
        Path("out").mkdir()
        if folder == "plain":
            small.setattr("sfumato.engine.duckdb.delimited._SMALL", 1 << 40)
        done = sfumato.run(sfumato.read_plan(f"{folder}.toml"))
        found.append((done.result.to_dict(), Path("out/release.csv").read_bytes()))
        Path("out").rename(f"out of {folder}")
    assert found[0] == found[1]


def test_a_column_of_different_texts_and_one_that_turns_out_to_be_one(small, tmp_path):
    """The first stays as texts beside codes, on the disk; the second sends the whole file the other way."""
    path = tmp_path / "people.csv"
    people(path)
    small.setattr(coded, "_PIECE", 1000)
    small.setattr(coded, "LEAST_REPEATED", 2)
    table = scan(FileSource(path))
    assert "note" not in table.labels
    assert "sex" in table.labels
    small.setattr(coded, "_PIECE", 60)
    small.setattr(coded, "_MOST_LATE", 2)
    assert not scan(FileSource(path)).labels


def test_a_column_by_which_rows_are_sorted_stays_text_if_it_has_many(monkeypatch, tmp_path):
    """Looked at in pieces it seems to repeat few texts, and nearly every row has one that was not seen: half a minute for
    three million rows. Regions are sorted too, but few, and are seen."""
    monkeypatch.setattr("sfumato.engine.duckdb.delimited._SMALL", 0)
    monkeypatch.setattr("sfumato.engine.duckdb.delimited._LEAST_LINES", 0)
    monkeypatch.setattr(coded, "_PIECE", 2_000)
    monkeypatch.setattr(BY_ARROW, lambda *_: None)
    path, n = tmp_path / "sorted.csv", 60_000
    path.write_text("day,region,x\n" + "".join(f"d{i // 300:03},r{i * 8 // n},{i % 7}\n" for i in range(n)))
    table = scan(FileSource(path))
    assert sorted(table.labels) == ["region", "x"]
    counted = table.connection.sql(
        f"SELECT count(DISTINCT day), count(DISTINCT region), count(*) FROM {table.name}"
    ).fetchall()
    assert counted == [(200, 8, n)]


def test_a_file_of_few_long_lines_is_not_loaded_as_codes(tmp_path, monkeypatch):
    """A type of labels for each column costs more there than codes save."""
    monkeypatch.setattr("sfumato.engine.duckdb.delimited._SMALL", 0)
    path = tmp_path / "wide.csv"
    path.write_text("a,b\n" + "x,y\n" * 200, "utf-8")
    for least, held in ((202, set()), (201, {"a", "b"})):
        monkeypatch.setattr("sfumato.engine.duckdb.delimited._LEAST_LINES", least)
        table = scan(FileSource(path))
        assert set(table.labels) == held
        assert table.connection.sql(f"SELECT DISTINCT a, b FROM {table.name}").fetchall() == [("x", "y")]
