"""Lines read strictly: no dialect is guessed, no row is skipped, and what does not fit is told by line and column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import numpy as np

from sfumato.engine.duckdb.connect import identifier, literal, open_workspace, path_literal
from sfumato.errors import SourceError
from sfumato.table.lines import MUST_BE, NO_TIME, Labels, LineFault, Lines

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from sfumato.table.lines import CellKind, LineShape
    from sfumato.types import FloatArray, IntArray

_TYPES: dict[CellKind, str] = {
    "text": "VARCHAR",
    "number": "DOUBLE",
    "whole": "BIGINT",
    "time": "TIMESTAMP",
    "day": "DATE",
}
_WHOLE_LINE = {
    "MISSING COLUMNS": "must have as many cells as there are columns.",
    "TOO MANY COLUMNS": "must have as many cells as there are columns.",
    "INVALID ENCODING": "must be text in UTF-8.",
    "LINE SIZE OVER MAXIMUM": "must be shorter than two million characters.",
}
_PIECE = 1 << 22


def read_lines(
    path: Path, shape: LineShape, *, most_faults: int = 100, memory_limit: str | None = None
) -> tuple[Lines | None, tuple[LineFault, ...]]:
    """Read a file of lines, or say what is wrong with it.

    Args:
        path: of a file that is not compressed.
        shape: how its lines must be written.
        most_faults: most faults that are told, >= 1.
        memory_limit: of the engine; None: its own.

    Returns:
        The lines and no fault, or None and the faults by line.

    Raises:
        SourceError: the file cannot be read at all.
    """
    space = open_workspace(memory_limit=memory_limit)
    try:
        space.connection.execute(_load(path, shape, most_faults))
    except duckdb.Error as error:
        raise SourceError(
            "The file of lines {name!r} cannot be read.", "write it as text in UTF-8.", name=path.name
        ) from error
    faults = _rejected(space.connection, shape, most_faults) or _blank(space.connection, path, shape)
    faults = faults or _empty(space.connection, shape, most_faults)
    if faults:
        return None, faults
    return _lines(space.connection, shape), ()


def _load(path: Path, shape: LineShape, most_faults: int) -> str:
    """SQL that loads all lines, and keeps what it refuses."""
    columns = ", ".join(f"{literal(one.name)}: {literal(_TYPES[one.kind])}" for one in shape.columns)
    options = {
        "auto_detect": "false",
        "header": str(shape.header).lower(),
        "delim": literal(shape.separator),
        "quote": "''",
        "escape": "''",
        "nullstr": "''",
        "columns": f"{{{columns}}}",
        "timestampformat": "'%Y-%m-%d %H:%M:%S'",
        "dateformat": "'%Y/%m/%d'",
        "compression": "'none'",
        "store_rejects": "true",
        "rejects_limit": str(most_faults),
    }
    said = ", ".join(f"{name}={value}" for name, value in options.items())
    return f"CREATE TABLE lines AS SELECT * FROM read_csv({path_literal(path)}, {said})"


def _rejected(connection: DuckDBPyConnection, shape: LineShape, most: int) -> tuple[LineFault, ...]:
    """Lines that the reader refused."""
    rows = connection.execute(
        f"SELECT line, column_idx, error_type FROM reject_errors ORDER BY line, column_idx LIMIT {most}"
    ).fetchall()
    return tuple(
        LineFault(int(line), None, _WHOLE_LINE[kind])
        if kind in _WHOLE_LINE
        else LineFault(int(line), shape.columns[place - 1].name, MUST_BE[shape.columns[place - 1].kind])
        for line, place, kind in rows
    )


def _blank(connection: DuckDBPyConnection, path: Path, shape: LineShape) -> tuple[LineFault, ...]:
    """The first blank line, which the reader skips: then the file has more lines than rows."""
    rows = connection.execute("SELECT count(*) FROM lines").fetchall()[0][0]
    lines, last = 0, b"\n"
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            lines, last = lines + piece.count(b"\n"), piece[-1:]
    if lines + (last != b"\n") == rows + shape.header:
        return ()
    with path.open("rb") as file:
        for line, text in enumerate(file, 1):
            if not text.strip(b"\r\n"):
                return (LineFault(line, None, "must not be blank."),)
    return (LineFault(0, None, "must end each line with a line feed."),)


def _empty(connection: DuckDBPyConnection, shape: LineShape, most: int) -> tuple[LineFault, ...]:
    """Cells that are empty, and numbers that are not finite, on lines that are not deleted."""
    first = identifier(shape.columns[0].name)
    kept = "true" if shape.deleted is None else f"{first} IS DISTINCT FROM {literal(shape.deleted)}"
    asked = []
    for place, one in enumerate(shape.columns):
        name = identifier(one.name)
        wrong = f"({name} IS NULL{f' OR NOT isfinite({name})' if one.kind == 'number' else ''})"
        asked.append(f"SELECT rowid AS place, {place} AS cell FROM lines WHERE {kept} AND {wrong}")
    rows = connection.execute(f"{' UNION ALL '.join(asked)} ORDER BY place, cell LIMIT {most}").fetchall()
    after = 1 + shape.header
    return tuple(
        LineFault(int(row) + after, shape.columns[cell].name, MUST_BE[shape.columns[cell].kind]) for row, cell in rows
    )


def _lines(connection: DuckDBPyConnection, shape: LineShape) -> Lines:
    """The arrays of all columns."""
    found: dict[str, Labels | FloatArray | IntArray] = {}
    for one in shape.columns:
        found[one.name] = _column(connection, one.name, one.kind)
    rows = connection.execute("SELECT count(*) FROM lines").fetchall()[0][0]
    return Lines(found, int(rows), 1 + shape.header)


def _column(connection: DuckDBPyConnection, name: str, kind: CellKind) -> Labels | FloatArray | IntArray:
    """One column as an array, in the order of the lines."""
    cell = identifier(name)
    if kind == "text":
        names = connection.execute(
            f"SELECT DISTINCT {cell} FROM lines WHERE {cell} IS NOT NULL ORDER BY ALL"
        ).fetchall()
        if not names:
            return Labels((), _fetched(connection, "-1"))
        connection.execute(f"CREATE OR REPLACE TYPE label AS ENUM (SELECT DISTINCT {cell} FROM lines WHERE {cell} IS NOT NULL ORDER BY ALL)")  # fmt: skip
        return Labels(
            tuple(str(row[0]) for row in names), _fetched(connection, f"coalesce(enum_code({cell}::label), -1)")
        )
    if kind == "number":
        return np.ma.filled(connection.execute(f"SELECT {cell} FROM lines").fetchnumpy()[name], np.nan)
    said = {"time": f"epoch({cell})", "day": f"datediff('day', DATE '1970-01-01', {cell})", "whole": cell}[kind]
    return _fetched(connection, f"coalesce({said}, {NO_TIME})")


def _fetched(connection: DuckDBPyConnection, said: str) -> IntArray:
    """(n,) int64 of an expression over the lines."""
    found: IntArray = connection.execute(f"SELECT ({said})::BIGINT AS x FROM lines").fetchnumpy()["x"]
    return found
