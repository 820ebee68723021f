"""What the DuckDB engine holds of one table, its rows in order, and what a failure of DuckDB or of the disk means for the user."""

from __future__ import annotations

import errno
import json
from contextlib import contextmanager
from dataclasses import field, replace
from typing import TYPE_CHECKING

import duckdb

from sfumato.engine.base import ROW, marked, refusal_in
from sfumato.engine.duckdb.connect import identifier, identifiers, literal
from sfumato.errors import EngineError, InternalError, Interrupted, SfumatoError, SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

    from sfumato.engine.base import Header
    from sfumato.table.source import Source


__all__ = ["ROW", "DuckTable"]


@dataclass(frozen=True, slots=True, eq=False)
class DuckTable:
    """A table that DuckDB can read, with its source position as column `__row`.

    The canonical text of a cell is DuckDB's cast of its native value to VARCHAR (`5.0`, `true`,
    `2020-01-31`, `2020-01-31 08:00:00`); a cell of a CSV file is its text, unchanged.

    Args:
        connection: private connection of this table; its temporary files live as long as it does.
            Use it itself: a table in memory is not visible to its cursors.
        name: view or table of `connection`; columns: `__row` BIGINT (0-based position in the
            source), then `header.names` with their native types.
        header: names, types, size, dialect.
        source: where it came from.
        compact: view with the same rows and columns whose labels are ENUMs, cheaper to sort and to
            write; None: `name` is as good.
        labels: for each column that is an ENUM of its sorted texts in `compact`, these texts.
        distinct: view with the same columns and equal rows once, where they were read together; its `__row` says how
            many they are. None: rows are read one by one.
    """

    connection: duckdb.DuckDBPyConnection
    name: str
    header: Header
    source: Source
    compact: str | None = None
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    distinct: str | None = None

    @property
    def coded(self) -> str:
        """The view with the columns of `labels` as ENUMs of their sorted texts, which compare as these texts do."""
        return self.compact if self.labels and self.compact is not None else self.name

    def missing_codes(self, column: str) -> tuple[str, ...]:
        """Texts that mean "missing" in that column, besides a native NULL."""
        return tuple(dict.fromkeys((*self.source.missing, *self.source.missing_in.get(column, ()))))


BATCH = 122_880
"""Rows of a batch, and of a Parquet row group."""


_KEEP_ORDER = frozenset(("PROJECTION", "FILTER", "SEQ_SCAN", "READ_PARQUET"))
"""Steps of a plan that hand rows on in the order in which the table or the file holds them, as DuckDB is set to."""


def in_order(table: DuckTable, columns: str | None = None) -> str:
    """A SELECT of the table's columns (or of given SQL) with the rows in order.

    They are sorted only where the plan has a step that may change their order: a sort holds all of them in memory.
    """
    what = identifiers(table.header.names) if columns is None else columns
    asked = f"SELECT {what} FROM {identifier(table.name)}"
    return asked if keeps_order(table, asked) else f"{asked} ORDER BY {ROW}"


def keeps_order(table: DuckTable, asked: str) -> bool:
    """Whether a query hands on the rows of a table as they are stored, which is the order of `__row`."""
    ((_, plan),) = table.connection.execute(f"EXPLAIN (FORMAT json) {asked}").fetchall()
    steps = json.loads(plan)
    for step in steps:
        steps.extend(step["children"])
    return all(step["name"].strip() in _KEEP_ORDER for step in steps)


def compact(table: DuckTable) -> DuckTable:
    """The table with labels as ENUMs, for writers to whom a label is a text anyway."""
    return table if table.compact is None else replace(table, name=table.compact)


def batches(table: DuckTable, columns: str | None = None) -> pa.RecordBatchReader:
    """The rows in order as Arrow batches."""
    return table.connection.sql(in_order(table, columns)).to_arrow_reader(BATCH)


def groups(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    """The rows in batches of 122,880, the last one of what is left.

    A reader's own end where groups of the source end as well, if more than one thread reads them.
    """
    import pyarrow as pa

    waiting = pa.Table.from_batches([], reader.schema)
    for batch in reader:
        waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch])])
        while waiting.num_rows >= BATCH:
            yield from waiting[:BATCH].combine_chunks().to_batches()
            waiting = waiting[BATCH:]
    yield from waiting.combine_chunks().to_batches()


BY_A_CELL = (duckdb.ConversionException, duckdb.InvalidInputException, duckdb.OutOfRangeException)
"""What DuckDB raises for a cell that it cannot read."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def refuse(problem: str, remedy: str, sql_type: str = "BIGINT") -> str:
    """SQL that stops the query with a `SchemaError` when a row reaches it.

    Example:
        >>> print(refuse("Ages must be numbers.", "declare text."))
        CAST(error('sfumato|Ages must be numbers.|declare text.|') AS BIGINT)
    """
    return f"CAST(error({literal(marked(problem, remedy))}) AS {sql_type})"


@contextmanager
def guarded() -> Iterator[None]:
    """Turn what DuckDB and the operating system raise into our errors; drop their messages.

    Raises:
        SchemaError: one of our own checks inside SQL failed.
        EngineError: no memory, no disk space, an unreadable file.
        SourceError: a folder or file that may not be written.
        Interrupted: the query was stopped.
        InternalError: anything else that DuckDB raises.
    """
    try:
        yield
    except RuntimeError as failure:
        if "interrupted" not in str(failure):
            raise
        raise _stopped() from None
    except duckdb.Error as failure:
        raise _from_duckdb(failure) from None
    except MemoryError:
        raise _no_memory() from None
    except OSError as failure:
        raise _from_arrow(failure) from None


_SPOKEN: Mapping[str, type[duckdb.Error]] = {
    "Out of Memory": duckdb.OutOfMemoryException,
    "INTERRUPT": duckdb.InterruptException,
    "IO": duckdb.IOException,
    "Conversion": duckdb.ConversionException,
    "Invalid Input": duckdb.InvalidInputException,
    "Out of Range": duckdb.OutOfRangeException,
}


def _from_arrow(failure: OSError) -> SfumatoError:
    """The error of ours that a system's error stands for, or what DuckDB said in the middle of a stream of batches.

    PyArrow, which reads the stream, keeps DuckDB's words ("INTERRUPT Error: …") and makes them an error of the system that has
    no number.
    """
    kind, said, _ = str(failure).partition(" Error: ")
    if failure.errno is None and said:
        return _from_duckdb(_SPOKEN.get(kind, duckdb.Error)(str(failure)))
    return from_system(failure)


def _from_duckdb(failure: duckdb.Error) -> SfumatoError:
    """The error of ours that a DuckDB error stands for."""
    message = str(failure)
    if (ours := refusal_in(message)) is not None:
        return ours
    if was_stopped(failure):
        return _stopped()
    if isinstance(failure, duckdb.OutOfMemoryException):
        return _no_space() if "temp_directory" in message else _no_memory()
    if isinstance(failure, duckdb.IOException):
        return _no_space() if _speaks_of_space(message) else _unreadable()
    return InternalError("DuckDB refused a query of ours ({kind}).", kind=type(failure).__name__)


def was_stopped(failure: duckdb.Error) -> bool:
    """Whether a user's interrupt is behind an error.

    An interrupt that arrives while DuckDB asks a registered table of Python's for its rows comes back as invalid input; one
    that arrives while it makes an object of Python's, as an error of no kind.
    """
    said = str(failure)
    while_asked = isinstance(failure, duckdb.InvalidInputException) and "failed: KeyboardInterrupt" in said
    while_made = type(failure) is duckdb.Error and said.startswith("KeyboardInterrupt")
    return while_asked or while_made or isinstance(failure, duckdb.InterruptException)


def from_system(failure: OSError) -> SfumatoError:
    """The error of ours that an operating-system error stands for."""
    if failure.errno in _FULL:
        return _no_space()
    reason = failure.strerror or type(failure).__name__
    return SourceError(
        "The place must exist and be writable; the system says: {reason}.",
        "choose a folder that exists and where you may write.",
        reason=reason,
    )


def _speaks_of_space(message: str) -> bool:
    """Whether a message of DuckDB's file system means that the disk is full."""
    return any(sign in message for sign in ("No space left", "Disk quota", "File too large", "could not write"))


def _stopped() -> Interrupted:
    """The user stopped a query; DuckDB's Python layer tells it as a RuntimeError."""
    return Interrupted("The work was stopped by the user.", "run it again; nothing was published.")


def _no_space() -> EngineError:
    """The disk is full."""
    return EngineError("The disk must have room for the work; it is full.", "free space, or use another folder.")


def _no_memory() -> EngineError:
    """The memory limit is too low."""
    return EngineError(
        "The work must fit into the memory limit; it does not.", "raise the memory limit or lower the threads."
    )


def _unreadable() -> EngineError:
    """A file vanished or cannot be read."""
    return EngineError(
        "Files of the table must stay readable and the target writable; one is not.",
        "check that the source is still there and that the target folder exists.",
    )
