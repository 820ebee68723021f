"""From a source to a handle."""

import hashlib
from pathlib import Path

import pyarrow as pa
import pytest

import sfumato
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.duckdb.scan import kind_of, scan
from sfumato.errors import EngineError, SourceError
from sfumato.summary.edges import DegreesOf, EdgesOf
from sfumato.table.source import FileSource, FrameSource


def test_trim_is_one_rule_for_text_of_every_source():
    """Numbers are untouched."""
    table = scan(FrameSource(pa.table({"a": [" x\t", "\u00a0y"], "n": [1, 2]}), trim=True))
    rows = table.connection.sql(f"SELECT a, n FROM {table.name} ORDER BY __row").fetchall()
    assert rows == [("x", 1), ("y", 2)]


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("t.csv", b"a,b\n", "csv"),
        ("t.data", b"a,b\n", "csv"),
        ("t", b"PAR1...", "parquet"),
        ("t.bin", b"ARROW1..", "arrow"),
        ("t.csv", b"PK\x03\x04...", "excel"),
        ("t.csv.gz", b"\x1f\x8b......", "csv"),
    ],
)
def test_the_kind_of_a_file_is_what_its_bytes_say(tmp_path, name, content, kind):
    """A workbook called `.csv` is a workbook."""
    path = tmp_path / name
    path.write_bytes(content)
    assert kind_of(FileSource(path)) == kind


def test_a_name_that_its_bytes_belie_is_refused(tmp_path):
    """Text called `.parquet`, unless the kind is declared."""
    path = tmp_path / "t.parquet"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(SourceError, match="first bytes"):
        scan(FileSource(path))
    assert scan(FileSource(path, kind="csv")).header.n_rows == 1


def test_a_file_must_exist(tmp_path):
    """A folder is no file."""
    with pytest.raises(SourceError, match="not there"):
        scan(FileSource(tmp_path / "absent.csv"))
    with pytest.raises(SourceError, match="a folder"):
        scan(FileSource(tmp_path))


def test_a_memory_limit_that_is_too_small_is_an_engine_error(tmp_path):
    """Not a fault of the file."""
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 200_000)
    with pytest.raises(EngineError, match="memory limit"):
        scan(FileSource(path), memory_limit="1MB", threads=1)


def test_digests_are_of_the_file(tmp_path):
    """Memory has none."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,2\n")
    assert scan(FileSource(path)).header.sha256 == hashlib.sha256(b"a,b\n1,2\n").hexdigest()
    assert scan(FrameSource(pa.table({"a": [1]}))).header.sha256 is None


@pytest.mark.parametrize(
    "content",
    [
        b"a,b\n1,CANARY,3\n",
        b'a,b\n1,"CANARY"x\n',
        b'a,b\n1,"CANARY\n',
        b"a,b\n1,CANARY1\xff1\n",
        b"a,b\n1,CANARY\0\n",
        b"CANARY-1 CANARY-2\nCANARY-3 CANARY-4\n",
        b"PAR1CANARY",
    ],
)
def test_an_error_holds_no_cell_anywhere(tmp_path, content):
    """Neither its message nor its causes nor the frames that it passed."""
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        scan(FileSource(path, dialect={"quote": '"'}))
    error = caught.value
    assert "CANARY" not in str(error)
    assert (error.__context__, error.__cause__) == (None, None)
    frame, ours = error.__traceback__, str(Path(sfumato.__file__).parent)  # a clone may be called so too
    while frame is not None:
        if frame.tb_frame.f_code.co_filename.startswith(ours):
            assert "CANARY" not in str(frame.tb_frame.f_locals)
        frame = frame.tb_next


def test_a_small_csv_file_is_one_threads_work_unless_it_is_a_graph_or_threads_are_named(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("a,b\nx,y\ny,z\n")

    def threads(table):
        ((n,),) = table.connection.execute("SELECT current_setting('threads')").fetchall()
        return n

    cores, engine = threads(scan(FrameSource(pa.table({"a": [1]})))), DuckDBEngine()
    table = engine.scan(FileSource(path))
    assert (threads(table), threads(scan(FileSource(path), threads=3))) == (1, 3)
    assert engine.summarize(table, DegreesOf(EdgesOf("a", "b"))).numbers.tolist() == [1, 2, 1]
    assert threads(table) == cores
