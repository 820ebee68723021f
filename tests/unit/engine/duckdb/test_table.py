"""The handle of a table."""

import duckdb
import pyarrow as pa
import pytest

from sfumato.engine.base import marked
from sfumato.engine.duckdb import scan as scanning
from sfumato.engine.duckdb.scan import scan
from sfumato.engine.duckdb.table import guarded
from sfumato.errors import EngineError, InternalError, Interrupted, SchemaError, SourceError
from sfumato.table.source import FrameSource

INTERRUPTED = (
    duckdb.InterruptException("INTERRUPT Error: Interrupted!"),
    duckdb.InvalidInputException("counting the rows of the object registered as 'cells' failed: KeyboardInterrupt: "),
    duckdb.Error("KeyboardInterrupt: <EMPTY MESSAGE>"),
    RuntimeError("Query interrupted"),
    OSError("INTERRUPT Error: Interrupted!"),
)


def test_missing_codes_are_those_of_all_columns_and_of_the_column():
    """Only declared codes are missing."""
    source = FrameSource(pa.table({"a": ["?"]}), missing=("?", "NA"), missing_in={"a": ("99", "?")})
    table = scan(source)
    assert table.missing_codes("a") == ("?", "NA", "99")
    assert table.missing_codes("b") == ("?", "NA")


@pytest.mark.parametrize("failure", INTERRUPTED)
def test_an_interrupt_is_told_as_one_wherever_it_meets_the_database(failure, monkeypatch):
    def fail(*_):
        raise failure

    with pytest.raises(Interrupted), guarded():
        fail()
    monkeypatch.setattr(scanning, "_seen", fail)
    with pytest.raises(Interrupted):
        scan(FrameSource(pa.table({"a": [1]})))


def test_what_the_database_refuses_is_no_interrupt(monkeypatch):
    def fail(*_):
        raise duckdb.InvalidInputException("counting the rows of the object registered as 'cells' failed: ValueError: ")

    with pytest.raises(InternalError), guarded():
        fail()
    monkeypatch.setattr(scanning, "_seen", fail)
    with pytest.raises(SourceError):
        scan(FrameSource(pa.table({"a": [1]})))


@pytest.mark.parametrize(
    ("failure", "told", "words"),
    [
        (OSError("Invalid Input Error: " + marked("Ages must be numbers.", "declare text.")), SchemaError, "Ages"),
        (OSError("Out of Memory Error: could not allocate 'secret'"), EngineError, "memory limit"),
        (OSError("Conversion Error: could not convert 'secret'"), InternalError, "ConversionException"),
        (OSError("Binder Error: no 'secret'"), InternalError, "refused a query"),
        (OSError(13, "Permission denied"), SourceError, "Permission denied"),
        (OSError("failed to open 'secret'"), SourceError, "OSError"),
    ],
)
def test_what_the_database_says_in_the_middle_of_a_stream_is_told_as_when_it_says_it_itself(failure, told, words):
    with pytest.raises(told, match=words) as found, guarded():
        raise failure
    assert "secret" not in str(found.value)
