"""Releases leave the house whole, in the form of their source, or not at all."""

import gzip
import hashlib
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.engine import folders
from sfumato.engine.duckdb import csv_line, write_csv
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.duckdb.write import beside
from sfumato.errors import EngineError, SchemaError, SourceError
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.steps import Recode, Replace
from sfumato.release.stage import staged
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role
from sfumato.table.source import FileSink, FileSource, FrameSink, FrameSource, SqlSink

ENGINE = DuckDBEngine(threads=2)
UNTOUCHED = Recipe()


def release(source, recipe=UNTOUCHED, engine=ENGINE):
    return engine.apply(engine.scan(source), recipe, bits=SystemBits())


def rows_of(table):
    return table.connection.sql(f"SELECT * EXCLUDE __row FROM {table.name} ORDER BY __row").fetchall()


def small(n=3):
    return FrameSource(pa.table({"zip": [f"0{i}000" for i in range(n)], "age": list(range(n))}))


def left_in(folder):
    return sorted(path.name for path in folder.iterdir())


CELLS = st.text("aé 0,.;'\"|\t\n-5", max_size=5)
DIALECTS = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from([",", ";", "\t", "|"]),
        "quote": st.sampled_from(['"', "'"]),
        "encoding": st.sampled_from(["utf-8", "utf-16-le", "windows-1252"]),
        "newline": st.sampled_from(["\n", "\r\n", "\r"]),
    }
)


@st.composite
def tables(draw):
    width = draw(st.integers(1, 3))
    rows = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=5))
    return [[f"n {i}é" for i in range(width)], *rows]


def spelled(rows, dialect):
    """The obvious writer: every cell between quotes."""
    quote = dialect["quote"]
    lines = [dialect["delimiter"].join(quote + c.replace(quote, quote * 2) + quote for c in row) for row in rows]
    return "".join(line + dialect["newline"] for line in lines).encode(dialect["encoding"])


@settings(max_examples=60, derandomize=True)
@given(rows=tables(), dialect=DIALECTS)
def test_a_csv_in_any_dialect_comes_back_with_the_same_cells_in_the_same_dialect(rows, dialect):
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "a.csv", Path(folder) / "b.csv"
        source.write_bytes(spelled(rows, dialect))
        fixed = {"skip": 0, "header": True} | dialect
        before = release(FileSource(source, dialect=fixed))
        ENGINE.write(before, FileSink(target))
        after = ENGINE.scan(FileSource(target, dialect=fixed))
        assert after.header.names == tuple(rows[0])
        assert rows_of(after) == [tuple(row) for row in rows[1:]]


def test_a_cell_is_quoted_only_where_it_must_be(tmp_path):
    source = FrameSource(pa.table({"a": ['say "x"', "b,c", "plain", "", None, "l\nm"], "b": [1, 2, 3, 4, 5, 6]}))
    ENGINE.write(release(source), FileSink(tmp_path / "r.csv"))
    expected = b'a,b\n"say ""x""",1\n"b,c",2\nplain,3\n,4\n,5\n"l\nm",6\n'
    assert (tmp_path / "r.csv").read_bytes() == expected


def test_a_byte_order_mark_encoding_and_line_end_are_written_again(tmp_path):
    original = "\ufeffnom;âge\r\nÉva;5,3\r\n".encode("utf-16-le")
    (tmp_path / "a.csv").write_bytes(original)
    ENGINE.write(release(FileSource(tmp_path / "a.csv")), FileSink(tmp_path / "b.csv"))
    assert (tmp_path / "b.csv").read_bytes() == original


def test_leading_zeros_and_codes_come_back_byte_for_byte(tmp_path):
    original = b"zip,country,n\n01000,NA,1e5\n0,null,007\n75001,,1.50\n"
    (tmp_path / "a.csv").write_bytes(original)
    ENGINE.write(release(FileSource(tmp_path / "a.csv", missing=("NA",))), FileSink(tmp_path / "b.csv"))
    assert (tmp_path / "b.csv").read_bytes() == original


def test_a_label_that_the_encoding_lacks_is_refused_and_nothing_is_left(tmp_path):
    (tmp_path / "a.csv").write_bytes("nom;b\nÉva;1\nZoé;2\n".encode("windows-1252"))
    source = FileSource(tmp_path / "a.csv", dialect={"encoding": "windows-1252"})
    with pytest.raises(SourceError, match="encoding") as failure:
        ENGINE.write(release(source, Recipe((Replace("b", "≥ 5"),))), FileSink(tmp_path / "b.csv"))
    assert "≥" not in str(failure.value)
    assert left_in(tmp_path) == ["a.csv"]


def test_a_label_with_the_separator_is_refused_where_nothing_is_quoted(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"a,b\n1,2\n")
    source = FileSource(tmp_path / "a.csv", dialect={"quote": ""})
    with pytest.raises(SchemaError, match="'b' must not hold the separator"):
        ENGINE.write(release(source, Recipe((Replace("b", "[1, 2]"),))), FileSink(tmp_path / "b.csv"))


def test_a_lone_empty_cell_keeps_its_row(tmp_path):
    ENGINE.write(release(FrameSource(pa.table({"a": ["x", "", None]}))), FileSink(tmp_path / "r.csv"))
    assert (tmp_path / "r.csv").read_bytes() == b'a\nx\n""\n""\n'


@pytest.mark.parametrize("name", ["r.csv", "r.csv.gz", "r.csv.zst", "r.parquet", "r.arrow", "r.xlsx"])
def test_the_same_release_has_the_same_bytes_whatever_the_threads(tmp_path, name):
    n = 300_000 if name in ("r.csv", "r.parquet") else 3_000
    source = FrameSource(pa.table({"a": np.arange(n) % 7, "b": np.array(["x", "y,z", "w"])[np.arange(n) % 3]}))
    digests = set()
    for threads in (1, 2, 3):
        engine = DuckDBEngine(memory_limit="1GB", threads=threads)
        receipt = engine.write(release(source, engine=engine), FileSink(tmp_path / name))
        digests.add(receipt.sha256)
    assert len(digests) == 1
    assert digests == {hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()}
    assert receipt.n_bytes == (tmp_path / name).stat().st_size
    assert receipt.n_rows == n


def test_gzip_holds_no_time_and_no_name(tmp_path):
    ENGINE.write(release(small()), FileSink(tmp_path / "r.csv.gz"))
    packed = (tmp_path / "r.csv.gz").read_bytes()
    assert packed[3:8] == b"\0\0\0\0\0"
    assert gzip.decompress(packed).startswith(b"zip,age\n00000,0\n")


@pytest.mark.parametrize("name", ["r.csv", "r.parquet", "r.arrow", "r.xlsx"])
@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError(28, "full"), MemoryError, RuntimeError])
def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, name, failure):
    (tmp_path / name).write_bytes(b"old")
    table = release(small())

    def fail(path):
        raise failure

    monkeypatch.setattr("sfumato.engine.duckdb.write.sha256_of", fail)
    with pytest.raises((KeyboardInterrupt, EngineError, RuntimeError)):
        ENGINE.write(table, FileSink(tmp_path / name))
    assert left_in(tmp_path) == [name]
    assert (tmp_path / name).read_bytes() == b"old"


def test_a_failure_in_the_middle_of_the_rows_leaves_nothing(tmp_path, monkeypatch):
    def broken(lines):
        raise KeyboardInterrupt

    monkeypatch.setattr("sfumato.engine.duckdb.write_csv.joined_texts", broken)
    with pytest.raises(KeyboardInterrupt):
        ENGINE.write(release(small()), FileSink(tmp_path / "r.csv"))
    assert left_in(tmp_path) == []


@pytest.mark.parametrize("name", ["r.csv", "r.parquet", "r.arrow"])
def test_a_full_disk_is_an_engine_error_and_leaves_nothing(tmp_path, name):
    """A process that may write only 100,000 bytes to a file stands for a full disk."""
    table = release(FrameSource(pa.table({"a": np.random.default_rng(1).integers(0, 2**60, 100_000)})))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(EngineError, match="room"):
            ENGINE.write(table, FileSink(tmp_path / name))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert left_in(tmp_path) == []


def test_an_interrupt_from_the_keyboard_leaves_no_file(tmp_path):
    """A real SIGINT reaches a process in the middle of a long Parquet write; where it came too late, of a longer one."""
    script, too_late = tmp_path / "long.py", 3
    script.write_text(
        "import os, signal, threading, sys\nfrom pathlib import Path\nimport duckdb\n"
        "from sfumato.engine.duckdb.engine import DuckDBEngine\nfrom sfumato.noise.bits import SystemBits\n"
        "from sfumato.recipe.recipe import Recipe\nfrom sfumato.table.source import *\n"
        "import numpy as np, pyarrow as pa\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "n = int(sys.argv[2])\n"
        "engine = DuckDBEngine(threads=1)\n"
        "table = engine.scan(FrameSource(pa.table({'a': np.random.default_rng(1).integers(0, 2**60, n)})))\n"
        "out = Path(sys.argv[1]) / 'r.parquet'\n"
        "def watch():\n"
        "    while True:\n"
        "        try:\n"
        "            if any(p.is_file() for p in out.parent.rglob('*')): break\n"
        "        except OSError: pass  # a folder went while it was listed\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=watch, daemon=True).start()\n"
        "engine.write(engine.apply(table, Recipe(), bits=SystemBits()), FileSink(out))\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        f"sys.exit({too_late})\n"
    )
    for n in (8_000_000, 24_000_000, 72_000_000):
        out = tmp_path / f"out{n}"
        out.mkdir()
        words = [sys.executable, script, out, str(n)]
        done = subprocess.run(words, capture_output=True, timeout=1200, check=False)
        if done.returncode != too_late:
            break
    assert done.returncode not in {0, too_late}, done.stderr
    assert b"Interrupt" in done.stderr
    assert left_in(out) == []


@pytest.mark.parametrize("name", ["r.csv", "r.parquet", "r.arrow", "r.xlsx"])
def test_a_folder_that_is_not_there_is_a_source_error(tmp_path, name):
    with pytest.raises(SourceError, match="must exist and be writable"):
        ENGINE.write(release(small()), FileSink(tmp_path / "absent" / name))


def test_a_folder_without_rights_is_a_source_error(tmp_path):
    """Root may write everywhere, so the test acts as nobody meanwhile."""
    tmp_path.chmod(0o500)
    released, me = release(small()), os.geteuid()
    os.seteuid(65534 if me == 0 else me)
    try:
        with pytest.raises(SourceError, match="must exist and be writable"):
            ENGINE.write(released, FileSink(tmp_path / "r.csv"))
    finally:
        os.seteuid(me)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(SourceError, match="is a folder"):
        ENGINE.write(release(small()), FileSink(tmp_path, kind="csv"))


def test_an_unknown_suffix_is_refused(tmp_path):
    with pytest.raises(SourceError, match="kind"):
        ENGINE.write(release(small()), FileSink(tmp_path / "r.xyz"))


def test_the_draft_is_hidden_and_beside_its_final_name(tmp_path):
    with beside(tmp_path / "r.csv") as draft:
        assert draft.parent.parent == tmp_path
        assert draft.parent.name.startswith(".")
        assert draft.parent.stat().st_mode & 0o777 == 0o700
        draft.write_bytes(b"x")
        assert not (tmp_path / "r.csv").exists()
    assert left_in(tmp_path) == ["r.csv"]


def test_the_source_can_be_replaced_by_its_own_release(tmp_path):
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "t.parquet")
    ENGINE.write(
        release(FileSource(tmp_path / "t.parquet"), Recipe((Replace("a", "x"),))), FileSink(tmp_path / "t.parquet")
    )
    assert pq.read_table(tmp_path / "t.parquet").to_pydict() == {"a": ["x", "x"]}


def test_parquet_keeps_native_types(tmp_path):
    table = pa.table({"i": pa.array([1, None], pa.int16()), "d": pa.array([0, 1], pa.date32()), "b": [True, None]})
    ENGINE.write(release(FrameSource(table)), FileSink(tmp_path / "r.parquet"))
    assert pq.read_table(tmp_path / "r.parquet").equals(table)


def test_excel_texts_are_never_formulas(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    source = FrameSource(pa.table({"a": ["=1+1", "01000", None], "n": [1, 2, 3]}))
    ENGINE.write(release(source), FileSink(tmp_path / "r.xlsx"))
    sheet = openpyxl.load_workbook(tmp_path / "r.xlsx").active
    assert [[c.value for c in row] for row in sheet.rows] == [["a", "n"], ["=1+1", 1], ["01000", 2], [None, 3]]
    assert sheet["A2"].data_type == "s"


def test_more_rows_than_an_excel_sheet_holds_are_refused(tmp_path):
    with pytest.raises(SourceError, match="1,048,576 rows"):
        ENGINE.write(release(FrameSource(pa.table({"a": np.zeros(1_048_576, np.int8)}))), FileSink(tmp_path / "r.xlsx"))
    assert left_in(tmp_path) == []


def test_pandas_comes_back_with_a_clean_index_and_its_dtypes():
    frame = pd.DataFrame(
        {
            "n": pd.array([1, None, 3], "Int64"),
            "sex": pd.Categorical(["M", "F", "M"], categories=["F", "M", "X"], ordered=True),
            "name": ["a", "b", None],
            "when": pd.to_datetime(["2020-01-01", "2021-01-01", None]),
        },
        index=["Ann", "Bob", "Cid"],
    )
    back = ENGINE.write(release(FrameSource(frame)), FrameSink()).frame
    assert back.index.equals(pd.RangeIndex(3))
    pd.testing.assert_frame_equal(back, frame.reset_index(drop=True))


def test_a_filtered_frame_is_read_by_position_not_by_its_index():
    """Case C9: group labels are never positions."""
    frame = pd.DataFrame({"a": ["x", "y", "z", "x", "y"], "b": range(5)}, index=list("pqrst")).drop("p")
    back = ENGINE.write(release(FrameSource(frame)), FrameSink("pandas")).frame
    assert back.to_dict("list") == {"a": ["y", "z", "x", "y"], "b": [1, 2, 3, 4]}


def test_integers_with_nulls_stay_integers_in_pandas():
    back = ENGINE.write(release(FrameSource(pa.table({"a": pa.array([2**60 + 1, None])}))), FrameSink("pandas")).frame
    assert str(back["a"].dtype) == "Int64"
    assert back["a"].tolist()[0] == 2**60 + 1


def test_polars_comes_back_with_its_dtypes():
    frame = pl.DataFrame({"a": [1, None], "s": pl.Series(["x", "y"], dtype=pl.Enum(["x", "y", "z"]))})
    back = ENGINE.write(release(FrameSource(frame)), FrameSink()).frame
    assert back.schema == frame.schema
    assert back.equals(frame)


def test_a_duckdb_relation_can_be_read_again():
    receipt = ENGINE.write(release(small()), FrameSink("duckdb"))
    assert receipt.frame.fetchall() == [("00000", 0), ("01000", 1), ("02000", 2)]


def test_sqlite_gets_a_new_table_in_one_transaction(tmp_path):
    url = f"sqlite:///{tmp_path / 'base.db'}"
    receipt = ENGINE.write(release(small()), SqlSink(url, "re lease"))
    assert receipt.table == "re lease"
    with sqlite3.connect(tmp_path / "base.db") as base:
        found = base.execute('SELECT * FROM "re lease"').fetchall()
    base.close()
    assert found == [("00000", 0), ("01000", 1), ("02000", 2)]


def test_an_existing_sql_table_is_refused_and_unharmed(tmp_path):
    for scheme in ("sqlite", "duckdb"):
        sink = SqlSink(f"{scheme}:///{tmp_path / scheme}", "t")
        ENGINE.write(release(small(2)), sink)
        with pytest.raises(SourceError, match="already there"):
            ENGINE.write(release(small(3)), sink)
    base = duckdb.connect(str(tmp_path / "duckdb"))
    assert base.sql("SELECT count(*) FROM t").fetchall() == [(2,)]
    base.close()


def test_a_failing_sql_write_leaves_no_table(tmp_path):
    broken = Recipe((Replace("age", "x"),))
    table = release(small(), broken)
    table.connection.execute(
        "CREATE TEMP VIEW wrong AS SELECT __row, zip, CAST(error('x') AS VARCHAR) AS age FROM source"
    )
    object.__setattr__(table, "name", "wrong")
    for scheme in ("sqlite", "duckdb"):
        with pytest.raises(Exception, match="Remedy"):
            ENGINE.write(table, SqlSink(f"{scheme}:///{tmp_path / scheme}", "t"))
    base = duckdb.connect(str(tmp_path / "duckdb"))
    assert base.sql("SHOW TABLES").fetchall() == []
    base.close()
    with sqlite3.connect(tmp_path / "sqlite") as lite:
        assert lite.execute("SELECT name FROM sqlite_master").fetchall() == []
    lite.close()


def test_an_unknown_database_is_refused():
    with pytest.raises(SourceError, match="oracle"):
        ENGINE.write(release(small()), SqlSink("oracle://x/y", "t"))


@pytest.mark.postgres
def test_postgresql_gets_a_new_table_and_refuses_an_existing_one(postgres):
    psycopg = pytest.importorskip("psycopg")
    day = pa.array([0, None, 2], pa.date32())
    source = FrameSource(pa.table({"zip": ["01000", None, ""], "n": [1, 2, None], "d": day, "b": [True, None, False]}))
    ENGINE.write(release(source), SqlSink(postgres, "re lease"))
    with pytest.raises(SourceError, match="already there"):
        ENGINE.write(release(small()), SqlSink(postgres, "re lease"))
    with psycopg.connect(postgres) as base:
        found = base.execute('SELECT * FROM "re lease"').fetchall()
        base.execute('DROP TABLE "re lease"')
    assert found == [tuple(row.values()) for row in source.frame.to_pylist()]


@pytest.mark.postgres
def test_a_failing_postgresql_write_leaves_no_table(postgres):
    psycopg = pytest.importorskip("psycopg")
    table = release(small())
    table.connection.execute(
        "CREATE TEMP VIEW wrong AS SELECT __row, zip, CAST(error('x') AS BIGINT) AS age FROM source"
    )
    object.__setattr__(table, "name", "wrong")
    with pytest.raises(Exception, match="Remedy"):
        ENGINE.write(table, SqlSink(postgres, "nothing"))
    with psycopg.connect(postgres) as base:
        assert base.execute("SELECT to_regclass('nothing')").fetchall() == [(None,)]


def test_the_line_of_a_row_is_no_deeper_with_more_columns(tmp_path):
    """A chain of concatenations would be as deep as there are columns, and copy the line again for each of them."""
    names = [f"c{i}" for i in range(100)]
    table = release(FrameSource(pa.table({name: ["a,b", None, 'c"d'] for name in names})))
    table.connection.execute("SET SESSION max_expression_depth = 60")
    ENGINE.write(table, FileSink(tmp_path / "out.csv"))
    line = ",".join
    expected = [line(names), line(['"a,b"'] * 100), line([""] * 100), line(['"c""d"'] * 100)]
    assert (tmp_path / "out.csv").read_text("utf-8").splitlines() == expected


BARE = st.lists(
    st.tuples(*[st.sampled_from(["a", "", "-1", "=x", "'=x", "b;c", 'd"e', "f\ng", "h\ri", "*", "é", "@"])] * 2)
)


@settings(max_examples=50)
@given(rows=BARE, quotes=st.booleans(), order=st.randoms(use_true_random=False))
def test_lines_without_quotes_are_those_that_are_looked_at_cell_by_cell(rows, quotes, order):
    """The fast way writes the same bytes and counts the same formulas as the careful one."""
    rows = [("k", "l"), *rows, *[("m", "n")] * order.randint(0, 3)]
    frame = pa.table({name: [row[j] for row in rows] for j, name in enumerate(("one", "two"))})
    table = release(FrameSource(frame))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        found = []
        for name in ("fast.csv", "careful.csv"):
            path = Path(folder) / name
            told = write_csv.write_csv(table, path, compression=".csv", quotes=quotes)
            found.append((path.read_bytes(), told))
            patch.setattr(write_csv, "_are_bare", lambda *_: False)
        found.append((found[0][0], write_csv.formulas_of(table)))
    assert found[0] == found[1] == found[2]


def test_labels_tell_which_cells_need_quotes_and_which_a_spreadsheet_would_run(tmp_path):
    tree = Hierarchy.from_paths("a", [("x", "=1, 2", "*"), ("y", "one", "*")])
    step = Recode(Attribute(Column("a", Role.QUASI_IDENTIFYING), tree, None), 1)
    frame = pa.table({"a": ["x", "y", "x"], "b": ["-", "=1", "2"]})
    table = ENGINE.apply(ENGINE.scan(FrameSource(frame)), Recipe((step,)), bits=SystemBits())
    told = write_csv.write_csv(table, tmp_path / "release.csv", compression="")
    assert (tmp_path / "release.csv").read_text() == 'a,b\n"=1, 2",-\none,=1\n"=1, 2",2\n'
    assert told == write_csv.formulas_of(table) == {"a": 2, "b": 2}


@pytest.mark.parametrize("quotes", [False, True])
@pytest.mark.parametrize("dialect", [{}, {"quote": "'"}, {"delimiter": ";"}, {"newline": "\r\n"}], ids=str)
def test_columns_without_signs_are_written_as_if_each_cell_were_looked_at(tmp_path, monkeypatch, dialect, quotes):
    """Columns are looked at two by two, or not at all."""
    rng = np.random.default_rng(5)
    signs = np.array(["", "a", "-5", "=1", "'x", "b c", "a,b", 'say "a"', "c;d", "two\nlines"], object)
    cells = {f"c{j}": rng.choice(signs[: 3 + j], 60) for j in range(8)}
    source = tmp_path / "a.csv"
    pd.DataFrame(cells).to_csv(
        source, index=False, sep=dialect.get("delimiter", ","), quotechar=dialect.get("quote", '"'),
        lineterminator=dialect.get("newline", "\n"),
    )  # fmt: skip
    table = release(FileSource(source, dialect=dialect))
    written = []
    for together in (2, 100):
        monkeypatch.setattr(write_csv, "TOGETHER", together)
        monkeypatch.setattr(csv_line, "TOGETHER", together)
        found = write_csv.write_csv(table, tmp_path / "b.csv", compression="", quotes=quotes)
        written.append((found, (tmp_path / "b.csv").read_bytes()))
    assert written[0] == written[1]
    assert b"two" in written[0][1]


def test_formulas_of_many_columns_are_counted_some_at_a_time(monkeypatch):
    """DuckDB compares the expressions of a statement with each other; each statement names the table once."""
    table, asked = release(FrameSource(pa.table({f"c{i}": ["=1", "a", "'=x"] for i in range(90)}))), []
    monkeypatch.setattr(write_csv, "identifier", lambda name: asked.append(name) or f'"{name}"')
    assert write_csv.formulas_of(table) == dict.fromkeys(table.header.names, 1)
    labels, columns, conditions = 1, -(-90 // 32), -(-180 // 32)
    assert len(asked) == labels + columns + conditions


def test_a_system_that_opens_no_folder_flushes_files_through_handles_that_may_write(tmp_path, monkeypatch):
    """Windows refuses to open a folder, and to flush what was opened to be read; a release comes to its place all the same."""
    opened, flushed = {}, []

    def as_there(path, flags, *rest, by=os.open, **named):
        if Path(path).is_dir():
            raise PermissionError(13, "Permission denied", path)
        handle = by(path, flags, *rest, **named)
        opened[handle] = flags & os.O_ACCMODE
        return handle

    def synced(handle, by=os.fsync):
        if opened.get(handle) == os.O_RDONLY:
            raise OSError(9, "Bad file descriptor")
        flushed.append(handle)
        by(handle)

    monkeypatch.delattr(os, "O_DIRECTORY", raising=False)
    monkeypatch.setattr(os, "open", as_there)
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(folders, "fcntl", None)
    monkeypatch.setattr(shutil, "_use_fd_functions", False)  # so that `rmtree` opens no folder either
    with staged() as stage:
        stage.write(tmp_path / "a.txt", "new")
        stage.commit()
    ENGINE.write(release(small()), FileSink(tmp_path / "b.csv"))
    assert left_in(tmp_path) == ["a.txt", "b.csv"]
    assert len(flushed) >= 2
