"""What a failure of Spark means for the user: messages without a single cell.

Spark writes cells into its errors (a text that is no number, for example), so none of its messages is repeated, and
what PySpark logs of them is held back while a query of ours runs.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.engine.base import marked, refusal_in
from sfumato.engine.spark.quote import literal
from sfumato.errors import EngineError, InternalError, SfumatoError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "pyspark.sql.connect.logging")
_SPARK = ("pyspark", "py4j", "grpc")
_ABSENT = ("PATH_NOT_FOUND", "TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND", "Table not found", "NoSuchKey")
_REPEATED = ("COLUMN_ALREADY_EXISTS", "Ambiguous reference", "AMBIGUOUS_REFERENCE")
_UNREADABLE = (
    "FAILED_READ_FILE",
    "Parquet error",
    "UNABLE_TO_INFER_SCHEMA",
    "CANNOT_READ_FILE",
    "DATA_SOURCE_NOT_FOUND",
    "No data source found",
    "ClassNotFoundException",
    "SQLException",
    "PSQLException",
    "AccessDenied",
    "AccessControlException",
    "No FileSystem for scheme",
)
_SYNTAX = ("PARSE_SYNTAX_ERROR", "UNRESOLVED_COLUMN", "expected something else")
_FULL = ("OutOfMemoryError", "RESULT_SIZE", "maxResultSize", "spark.driver.memory", "Resources exhausted")
_NO_SPACE = ("No space left", "Disk quota")
_LOST = ("ExecutorLostFailure", "executor lost", "FetchFailed", "Job aborted", "SparkContext was shut down")
_UNDRAWN = ("CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND", "Checkpoint block")
_AWAY = (
    "UNAVAILABLE",
    "Connection refused",
    "Connection reset",
    "INVALID_HANDLE",
    "SESSION_NOT_FOUND",
    "Socket closed",
)


def refuse(problem: str, remedy: str, sql_type: str = "BIGINT") -> str:
    """SQL that stops the query with a `SchemaError` when a row reaches it.

    Example:
        >>> print(refuse("Ages must be numbers.", "declare text."))
        CAST(raise_error('sfumato|Ages must be numbers.|declare text.|') AS BIGINT)
    """
    return f"CAST(raise_error({literal(marked(problem, remedy))}) AS {sql_type})"


@contextmanager
def guarded() -> Iterator[None]:
    """Turn what Spark, its transports and Arrow raise into our errors; drop their messages.

    Raises:
        SchemaError: one of our own checks inside SQL failed.
        SourceError: no such file or table, or one that cannot be read.
        EngineError: the cluster is away, lost its workers, or has no memory or disk space left.
        InternalError: anything else that Spark raises.
    """
    with _quiet():
        try:
            yield
        except SfumatoError:
            raise
        except Exception as failure:
            if not _is_of_spark(failure):
                raise
            raise meaning_of(failure) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """While it is open, the loggers of PySpark that repeat error messages say nothing."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was in zip(loggers, before, strict=True):
            logger.disabled = was


def _is_of_spark(failure: Exception) -> bool:
    """Whether Spark, its transport, Arrow or the network raised it."""
    family = {kind.__module__.partition(".")[0] for kind in type(failure).__mro__}
    return bool(family & {*_SPARK, "pyarrow"}) or isinstance(failure, (OSError, MemoryError))


def meaning_of(failure: Exception) -> SfumatoError:
    """The error of ours that a failure stands for; its text is searched for Spark's own words and never repeated."""
    message = str(failure)
    if (ours := refusal_in(message)) is not None:
        return ours
    return next((error for words, error in _meanings() if any(word in message for word in words)), _unknown(failure))


def _meanings() -> tuple[tuple[tuple[str, ...], SfumatoError], ...]:
    """Words of Spark's messages, and what they mean; the first that is found counts."""
    return (
        (
            _ABSENT,
            SourceError(
                "The source must exist where the cluster looks; it is not there.", "check the path or the name."
            ),
        ),
        (
            _REPEATED,
            SourceError(
                "Columns must have names that differ without regard to case; some do not.",
                "rename them before the table is read.",
            ),
        ),
        (
            _UNDRAWN,
            EngineError(
                "What chance has drawn must stay where it is stored; a machine that held a part of it was lost.",
                "run it again: a new release is drawn. A folder in spark.checkpoint.dir survives the loss of machines.",
            ),
        ),
        (
            _NO_SPACE,
            EngineError("The cluster must have room for the work; a disk is full.", "free space on its disks."),
        ),
        (
            _FULL,
            EngineError(
                "The work must fit into the memory of the cluster and of the driver; it does not.",
                "raise spark.driver.memory, spark.driver.maxResultSize or spark.executor.memory, "
                "or generalize the quasi-identifiers so that fewer tuples are distinct.",
            ),
        ),
        (
            _UNREADABLE,
            SourceError(
                "The source must be readable by the cluster; it is not.",
                "check that its files are complete Parquet, that the cluster may read them, and that it has the driver.",
            ),
        ),
        (
            _SYNTAX,
            SourceError("The query must be SQL that Spark understands; it refuses it.", "correct the query."),
        ),
        (
            _AWAY,
            EngineError(
                "The Spark cluster must answer; it does not any more.", "check that it runs, then start again."
            ),
        ),
        (
            _LOST,
            EngineError(
                "The cluster must finish the work; a job of it failed.",
                "look into the cluster's own log; more memory for the executors often helps.",
            ),
        ),
    )


def _unknown(failure: Exception) -> SfumatoError:
    """A failure whose text says nothing that we know: of the network, of memory, or ours."""
    if isinstance(failure, MemoryError):
        return EngineError("The summary must fit into this computer's memory; it does not.", "use a larger computer.")
    if isinstance(failure, OSError) or type(failure).__module__.startswith(("grpc", "py4j")):
        return EngineError(
            "The Spark cluster must answer; {kind} instead.",
            "check that it runs, then start again.",
            kind=type(failure).__name__,
        )
    return InternalError("Spark refused a query of ours ({kind}).", kind=type(failure).__name__)
