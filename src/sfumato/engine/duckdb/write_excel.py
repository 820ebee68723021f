"""A release as an Excel workbook: one sheet, texts as texts, bytes that repeat."""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING, Any

from sfumato.engine.duckdb.table import batches
from sfumato.errors import SourceError
from sfumato.extras import Needs

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engine.duckdb.table import DuckTable

_MOST_ROWS = 1_048_576
_MOST_COLUMNS = 16_384
_MOST_SIGNS = 32_767
_EPOCH = (1980, 1, 1, 0, 0, 0)
_TIMES = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")


def write_excel(table: DuckTable, path: Path) -> None:
    """Write one sheet with a header row.

    A text is written as text even where it looks like a formula, a number or a date.

    Raises:
        SourceError: more rows, columns or signs in a cell than a sheet holds, or signs that XML lacks.
    """
    _check_size(table)
    with Needs("excel", "Writing Excel needs the package openpyxl.", SourceError):
        from openpyxl import Workbook
        from openpyxl.utils.exceptions import IllegalCharacterError
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")
    try:
        sheet.append([_as_cell(sheet, name) for name in table.header.names])
        for batch in batches(table):
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                sheet.append([_as_cell(sheet, value) for value in row])
    except IllegalCharacterError:
        raise SourceError(
            "A sheet holds no control characters; some cells have them.", "publish as CSV or Parquet."
        ) from None
    raw = path.with_name(path.name + ".raw")
    try:
        book.save(raw)
        _without_times(raw, path)
    finally:
        raw.unlink(missing_ok=True)


def _check_size(table: DuckTable) -> None:
    """A sheet has a last row and a last column."""
    n_rows, n_columns = table.header.n_rows + 1, len(table.header.names)
    if n_rows > _MOST_ROWS or n_columns > _MOST_COLUMNS:
        raise SourceError(
            "An Excel sheet holds {most_rows:,} rows with the header and {most_columns:,} columns; "
            "the release has {n_rows:,} and {n_columns:,}.",
            "publish as CSV or Parquet.",
            most_rows=_MOST_ROWS,
            most_columns=_MOST_COLUMNS,
            n_rows=n_rows,
            n_columns=n_columns,
        )


def _as_cell(sheet: Any, value: Any) -> Any:
    """A text becomes a text cell (never a formula); other values are left to Excel's types."""
    if not isinstance(value, str):
        return value
    from openpyxl.cell import WriteOnlyCell

    if len(value) > _MOST_SIGNS:
        raise SourceError(
            "A cell of a sheet holds {most_signs:,} signs; some have more.",
            "publish as CSV or Parquet.",
            most_signs=_MOST_SIGNS,
        )
    cell = WriteOnlyCell(sheet, value)
    cell.data_type = "s"
    return cell


def _without_times(raw: Path, path: Path) -> None:
    """Copy the archive with every time set to 1980-01-01."""
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            plain = zipfile.ZipInfo(entry.filename, _EPOCH)
            plain.compress_type = zipfile.ZIP_DEFLATED
            content = source.read(entry)
            if entry.filename == "docProps/core.xml":
                content = _TIMES.sub(rb"\g<1>1980-01-01T00:00:00Z", content)
            target.writestr(plain, content)
