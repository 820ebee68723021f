"""A sheet of a workbook as a table: every cell as the text that Excel shows."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sfumato.engine.base import distinct_names
from sfumato.engine.duckdb.connect import Loaded, make_room, numbered, store_batches
from sfumato.engine.duckdb.survey import digest
from sfumato.errors import SourceError
from sfumato.extras import Needs
from sfumato.table.contents import check_workbook

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engine.duckdb.connect import Workspace
    from sfumato.table.source import FileSource

_DIGITS = 15
"""Significant digits that Excel keeps and shows."""


def load_excel(space: Workspace, source: FileSource) -> Loaded:
    """Load one sheet: the first row that holds anything names the columns.

    Numbers are written with up to 15 significant digits and no exponent, whole ones without a
    point (5.0 is `5`); dates as ISO 8601, moments as `2020-01-31 08:00:00`; logical values as TRUE
    and FALSE; an empty cell as "". A column with neither name nor cells is left out with a note.

    Raises:
        SourceError: no workbook, one that unpacks too far, no such sheet, an empty sheet, or cells outside the named columns.
            Also if the reader (extra `excel`) is not installed.
    """
    check_workbook(source.path)
    rows = _rows(source)
    columns = [list(column) for column in zip(*rows, strict=True)]
    kept = [column for column in columns if any(cell != "" for cell in column)]
    names, notes = distinct_names([_text(column[0], whole_days=True) for column in kept])
    left_out = len(columns) - len(kept)
    if left_out:
        notes = (*notes, f"Columns with neither name nor cells are left out: {left_out}.")
    cells = numbered(len(kept))
    schema = pa.schema([(name, pa.string()) for name in cells])
    batch = pa.RecordBatch.from_arrays([pa.array(_texts(column[1:]), pa.string()) for column in kept], schema=schema)
    table = make_room(space, source.path.stat().st_size)
    store_batches(space, table, schema, [batch])
    return Loaded(table, "rowid", cells, names, "excel", sha256=digest(source.path), notes=notes)


def _rows(source: FileSource) -> list[list[Any]]:
    """The cells of the sheet from its first filled row to its last."""
    with Needs("excel", "Excel files need the package python-calamine.", SourceError):
        import python_calamine
    try:
        with python_calamine.CalamineWorkbook.from_path(str(source.path)) as book:
            sheets = list(book.sheet_names)
            wanted = sheets[0] if source.sheet is None and sheets else source.sheet
            if wanted not in sheets:
                raise _no_sheet(source.path, wanted, sheets)
            rows: list[list[Any]] = book.get_sheet_by_name(wanted).to_python(skip_empty_area=True)
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(
            "{path!r} must be a readable workbook; it is not ({kind}).",
            "check that the file is complete and not protected by a password.",
            path=source.path.name,
            kind=type(error).__name__,
        ) from None
    filled = [number for number, row in enumerate(rows) if any(cell != "" for cell in row)]
    if not filled:
        raise SourceError(
            "Sheet {wanted!r} of {path!r} must hold a table; it is empty.",
            "name another sheet.",
            wanted=wanted,
            path=source.path.name,
        )
    return rows[filled[0] : filled[-1] + 1]


def _no_sheet(path: Path, wanted: str | None, sheets: list[str]) -> SourceError:
    return SourceError(
        "{name!r} must have the sheet {wanted!r}; it has {sheets}.",
        "correct `sheet`, or leave it out.",
        name=path.name,
        wanted=wanted,
        sheets=sheets,
    )


def _texts(cells: list[Any]) -> list[str]:
    """The texts of a column; its moments are dates if all of them fall on midnight."""
    moments = [cell for cell in cells if isinstance(cell, dt.datetime)]
    whole_days = all(moment.time() == dt.time() for moment in moments)
    return [_text(cell, whole_days=whole_days) for cell in cells]


def _text(cell: object, *, whole_days: bool) -> str:
    """One cell as Excel shows it.

    Example:
        >>> [_text(cell, whole_days=True) for cell in (5.0, 0.1 + 0.2, True, 1e20, "01000")]
        ['5', '0.3', 'TRUE', '100000000000000000000', '01000']
    """
    match cell:
        case bool():
            return "TRUE" if cell else "FALSE"
        case float():
            short = Decimal(f"{cell:.{_DIGITS}g}")
            return f"{short.normalize():f}" if short else "0"
        case dt.date():
            moment = cell if isinstance(cell, dt.datetime) else dt.datetime.combine(cell, dt.time())
            return moment.date().isoformat() if whole_days else moment.isoformat(sep=" ")
        case dt.timedelta():
            minutes, seconds = divmod(round(cell.total_seconds()), 60)
            return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return str(cell)
