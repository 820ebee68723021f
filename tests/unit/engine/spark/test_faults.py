"""What failures of Spark mean, and that their texts stay inside."""

import logging

import pyarrow as pa
import pytest
from pyspark.errors import AnalysisException, PySparkException

from sfumato.engine.spark.faults import guarded, meaning_of, refuse
from sfumato.engine.spark.query import fetch
from sfumato.engine.spark.scan import scan
from sfumato.errors import EngineError, InternalError, SchemaError, SourceError
from sfumato.table.source import FrameSource


class Lost(Exception):
    """A failure of the transport."""

    __module__ = "grpc._channel"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("[PATH_NOT_FOUND] Path does not exist: Canary", SourceError),
        ("[TABLE_OR_VIEW_NOT_FOUND] The table or view `Canary` cannot be found", SourceError),
        ("[COLUMN_ALREADY_EXISTS] The column `canary` already exists", SourceError),
        ("Job aborted due to stage failure: FAILED_READ_FILE Canary", SourceError),
        ("[PARSE_SYNTAX_ERROR] Syntax error at or near 'Canary'", SourceError),
        ("Job aborted due to stage failure: java.lang.OutOfMemoryError: Canary", EngineError),
        ("Total size of serialized results is bigger than spark.driver.maxResultSize Canary", EngineError),
        ("java.io.IOException: No space left on device Canary", EngineError),
        ("Job aborted due to stage failure: ExecutorLostFailure Canary", EngineError),
        ("StatusCode.UNAVAILABLE Canary", EngineError),
        ("[CAST_INVALID_INPUT] The value 'Canary' of the type STRING cannot be cast", InternalError),
    ],
)
def test_each_failure_has_a_meaning_without_its_text(message, kind):
    found = meaning_of(PySparkException(message))
    assert type(found) is kind
    assert "Canary" not in str(found)
    assert found.remedy


def test_our_own_refusals_come_through():
    sql = refuse("Ages must be | numbers.", "declare text.")
    found = meaning_of(PySparkException(f"[USER_RAISED_EXCEPTION] {sql}"))
    assert (type(found), found.problem, found.remedy) == (SchemaError, "Ages must be / numbers.", "declare text.")


def test_failures_of_transport_and_memory_are_those_of_the_engine():
    for failure in (Lost("Canary"), ConnectionError("Canary"), MemoryError("Canary")):
        with pytest.raises(EngineError) as caught, guarded():
            raise failure
        assert "Canary" not in str(caught.value)
        assert caught.value.__suppress_context__


def test_failures_that_are_not_sparks_pass():
    for failure in (KeyError("x"), SourceError("It must be.", "do it.")):
        with pytest.raises(type(failure)) as caught, guarded():
            raise failure
        assert caught.value is failure


def test_loggers_that_repeat_messages_are_silent_meanwhile():
    logger = logging.getLogger("SQLQueryContextLogger")
    with guarded():
        assert logger.disabled
    assert not logger.disabled


def test_a_refusal_that_a_row_reaches(sail):
    table = scan(sail, FrameSource(pa.table({"age": [1, 2]})))
    raised = refuse("Ages must be 1.", "correct them.")
    with pytest.raises(SchemaError, match=r"Ages must be 1\."):
        fetch(table.frame, lambda view: f"SELECT CASE WHEN age = 1 THEN 0 ELSE {raised} END AS x FROM {view}")


def test_the_view_of_a_question_is_gone_afterwards(sail):
    table = scan(sail, FrameSource(pa.table({"age": [1, 2]})))
    names = []
    fetch(table.frame, lambda view: names.append(view) or f"SELECT 1 AS x FROM {view}")
    with pytest.raises(AnalysisException):
        sail.table(names[0]).toArrow()
