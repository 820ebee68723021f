"""The public tables that experiments need: where they are, and what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.duckdb.columns import texts
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import SchemaError, SourceError
from sfumato.frozen import dataclass
from sfumato.table.source import FileSource

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Dataset:
    """A public table, as the experiments use it.

    Args:
        title: what it is.
        published: who publishes it, under which name.
        files: paths looked for in a folder, the first found is taken.
        columns: needed, in the experiment's order; each with the names it is published under.
        missing: texts that mean "missing", as an empty cell does; rows with one in a needed column are left out.
        rows: of the table that the reference values are about.
    """

    title: str
    published: str
    files: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    missing: tuple[str, ...]
    rows: int

    @property
    def names(self) -> tuple[str, ...]:
        """The columns by their first names."""
        return tuple(names[0] for names in self.columns)

    @property
    def needs(self) -> str:
        """A sentence for whoever lacks it."""
        return (
            f"{self.title}: a CSV file with a header and the columns {', '.join(self.names)} "
            f"({self.rows:,} rows), published as {self.published}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class PublicTable:
    """The needed columns of a public table.

    Args:
        file: its name, without the folder.
        left_out: rows left out for a missing value.
        cells: for each column the texts of all rows.
    """

    file: str
    left_out: int
    cells: dict[str, tuple[str, ...]]

    @property
    def n_rows(self) -> int:
        """Rows kept."""
        return len(next(iter(self.cells.values())))

    def codes(self) -> IntArray:
        """(n, d) int64: the place of each text among the sorted texts of its column."""
        columns = [np.unique(np.array(cells), return_inverse=True)[1] for cells in self.cells.values()]
        return np.column_stack(columns).astype(np.int64)

    def numbers(self) -> FloatArray:
        """(n, d) float64.

        Raises:
            SchemaError: a cell that is no finite number. Remedy: give the published table.
        """
        try:
            out = np.column_stack([np.array(cells, np.float64) for cells in self.cells.values()])
        except ValueError:
            out = np.array([[np.nan]])
        if not np.all(np.isfinite(out)):
            raise SchemaError(
                "Every cell of {file!r} must be a finite number.", "give the published table.", file=self.file
            )
        return out


def find(dataset: Dataset, place: Path | None) -> Path:
    """The file of a data set: the one given, or a known name in the folder given.

    Raises:
        SourceError: none given, or none there. Remedy: says what is needed and who publishes it.
    """
    if place is None:
        raise SourceError(
            "This experiment needs data. {needs}.", "name the file or its folder by --data.", needs=dataset.needs
        )
    if place.is_dir():
        found = [place / name for name in dataset.files if (place / name).is_file()]
        if found:
            return found[0]
        raise SourceError(
            "The folder {name!r} must hold one of: {files}. {needs}.",
            "put the file there, or name it by --data FILE.",
            name=place.name,
            files=", ".join(dataset.files),
            needs=dataset.needs,
        )
    if not place.is_file():
        raise SourceError(
            "{place!r} must be a file or a folder. {needs}.", "correct --data.", place=str(place), needs=dataset.needs
        )
    return place


def read(dataset: Dataset, path: Path) -> PublicTable:
    """Read the needed columns; rows with a missing value are left out.

    Raises:
        SchemaError: columns that are absent, or no complete row. Remedy: give the published table.
    """
    table = scan(FileSource(path, missing=dataset.missing, trim=True))
    cells = [texts(table, name) for name in _present(dataset, table, path.name)]
    unknown = {None, "", *dataset.missing}
    rows = list(zip(*cells, strict=True))
    kept = [row for row in rows if not any(cell in unknown for cell in row)]
    if not kept:
        raise SchemaError("{name!r} must hold at least one complete row.", "give the published table.", name=path.name)
    columns = dict(zip(dataset.names, zip(*kept, strict=True), strict=True))
    return PublicTable(path.name, len(rows) - len(kept), columns)


def _present(dataset: Dataset, table: DuckTable, file: str) -> list[str]:
    """The names that the needed columns have in the file."""
    there = {_plain(name): name for name in table.header.names}
    found = [next((there[_plain(n)] for n in names if _plain(n) in there), None) for names in dataset.columns]
    absent = [name for name, here in zip(dataset.names, found, strict=True) if here is None]
    if absent:
        raise SchemaError(
            "{file!r} lacks the columns {absent}. {needs}.",
            "give the published table with a header.",
            file=file,
            absent=", ".join(absent),
            needs=dataset.needs,
        )
    return [name for name in found if name is not None]


def _plain(name: str) -> str:
    """A column name without the marks in which copies of a table differ."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
