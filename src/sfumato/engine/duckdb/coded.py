"""A large CSV file loaded as codes: columns with few different texts become ENUMs of these texts, in the order of texts.

A cell takes one or two bytes then instead of sixteen and more, and what reads cells later (groups, joins, lines) reads
whole numbers. Where every line is a row and every column repeats its texts, Arrow reads the file (`csv_codes`) and its
codes are stored. Else DuckDB reads it, and texts are found in pieces of the file first; a text that comes up only later
is kept beside its row and becomes a label too, so that every cell still is its text, byte for byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import numpy as np

from sfumato.engine.arrow_arrays import places_of
from sfumato.engine.duckdb.connect import make_room, numbered
from sfumato.engine.duckdb.csv_codes import LEAST_REPEATED, MOST_LABELS
from sfumato.engine.duckdb.leaves import enum_type
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy.typing as npt
    import pyarrow as pa

    from sfumato.engine.duckdb.connect import Workspace
    from sfumato.engine.duckdb.csv_codes import Codes
    from sfumato.types import IntArray

_PIECES, _PIECE = 64, 1 << 18
"""How many pieces of a file are looked at, and the bytes of each."""
_FIRST = 10_000
"""Rows of which the texts are counted before those of all rows that are looked at."""
_MOST_LATE = 60_000
"""Labels of a column when all its texts are known, at most."""
_MOST_UNSEEN = 0.005
"""Share of rows with a text that comes up only later, at most: each of them costs as much as a hundred others."""
IN_MEMORY = 256 << 20
"""Bytes of codes that are kept in memory at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A table of codes.

    Args:
        table: its name.
        labels: for the place of each column that is held as codes, its texts, sorted as texts.
    """

    table: str
    labels: dict[int, tuple[str, ...]]


def stored(space: Workspace, columns: Sequence[Codes]) -> Coded:
    """Columns of codes as a table in memory."""
    import pyarrow as pa

    table, cells = make_room(space, 0), []
    arrays = [_as_array(column.places) for column in columns]
    for i, column in enumerate(columns):
        enum = enum_type(space.connection, column.texts)
        cells.append(f"{_all_labels(enum)}[CAST(c{i} AS INTEGER) + 1] AS c{i}")
    space.connection.register("codes", pa.table(arrays, names=numbered(len(arrays))))
    try:
        space.connection.execute(f"CREATE TABLE {table} AS SELECT {', '.join(cells)} FROM codes")
    finally:
        space.connection.unregister("codes")
    return Coded(table, {i: column.texts for i, column in enumerate(columns)})


def _as_array(places: npt.NDArray[np.uint8 | np.uint16]) -> pa.Array:
    """Codes as Arrow holds them; nothing is copied."""
    import pyarrow as pa

    kind = pa.uint8() if places.dtype == np.uint8 else pa.uint16()
    return pa.Array.from_buffers(kind, len(places), [None, pa.py_buffer(places)])


def _all_labels(enum: str) -> str:
    """SQL for the list of all labels of a type."""
    return f'CAST(enum_range(CAST(NULL AS "{enum}")) AS "{enum}"[])'


def sampled(path: Path, copy: Path) -> None:
    r"""Write whole lines from all over a file, in which each line is a row, into a copy.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as name:
        ...     path, copy = Path(name) / "all.csv", Path(name) / "some.csv"
        ...     _ = path.write_bytes(b"a;b\n" * 10_000_000)
        ...     sampled(path, copy)
        ...     set(copy.read_bytes().splitlines()), copy.stat().st_size <= 64 * 2**18
        ({b'a;b'}, True)
    """
    stride = path.stat().st_size // _PIECES
    with path.open("rb") as file, copy.open("wb") as out:
        for nth in range(_PIECES):
            file.seek(nth * stride + stride // 2)
            piece = file.read(_PIECE)
            out.write(piece[piece.find(b"\n") + 1 : piece.rfind(b"\n") + 1])


def load_coded(
    space: Workspace, reading: Callable[[Path | None], str], path: Path, width: int, n_rows: int, *, by_line: bool
) -> Coded | None:
    """Load a file of which some columns repeat few texts; None if there are none, or DuckDB refuses the file.

    Args:
        space: where.
        reading: SQL that reads the rows of the file, or of a copy that holds rows alone, as texts c0, c1, ….
        path: the file.
        width: number of its columns.
        n_rows: rows that it has at most.
        by_line: whether each line surely is a row; if not, only the first rows are looked at.
    """
    try:
        labels = _labels(_looked_at(space, reading, path, by_line=by_line))
        if not labels:
            return None
        few = len(labels) == width and n_rows * sum(_bytes_of(len(texts)) for texts in labels.values()) <= IN_MEMORY
        table = make_room(space, 0 if few else path.stat().st_size)
        names = {place: enum_type(space.connection, texts) for place, texts in labels.items()}
        space.connection.execute(f"CREATE TABLE {table} AS {_selected(reading(None), width, names)}")
        late = _late(space, table, labels)
    except duckdb.InvalidInputException:
        return None
    if max(map(len, late.values()), default=0) > _MOST_LATE:
        space.connection.execute(f"DROP TABLE {table}")
        return None
    if late:
        _widen(space, table, width, labels, late)
    else:
        space.connection.execute(f"ALTER TABLE {table} DROP COLUMN odd")
    return Coded(table, labels | late)


def _looked_at(space: Workspace, reading: Callable[[Path | None], str], path: Path, *, by_line: bool) -> pa.Table:
    """Some rows."""
    copy = space.folder / "looked_at.csv"
    if not by_line:
        return space.connection.sql(f"SELECT * FROM {reading(None)} LIMIT {MOST_LABELS * 50}").to_arrow_table()
    sampled(path, copy)
    try:
        return space.connection.sql(f"SELECT * FROM {reading(copy)}").to_arrow_table()
    finally:
        copy.unlink()


def _labels(rows: pa.Table) -> dict[int, tuple[str, ...]]:
    """The sorted texts of each column that repeats few of them, and of which hardly any row has one that is not seen."""
    most = min(MOST_LABELS, rows.num_rows // LEAST_REPEATED)
    found = {}
    for place, column in enumerate(rows.columns):
        if len(column.slice(0, _FIRST).combine_chunks().dictionary_encode().dictionary) > most:
            continue  # of many different texts the first rows tell
        cells = column.combine_chunks().dictionary_encode()
        if 0 < len(cells.dictionary) <= most and _unseen(places_of(cells), len(cells.dictionary)) <= _MOST_UNSEEN:
            found[place] = tuple(sorted(cells.dictionary.to_pylist()))
    return found


def _unseen(codes: IntArray, n_texts: int) -> float:
    """The share of rows of every other piece whose text stands in none of the pieces between: of rows that nobody looked at.

    In a file that is sorted by a column of many texts each piece has texts of its own, and so has what lies between.
    """
    found = codes[codes >= 0]
    is_kept = np.arange(len(found)) * _PIECES // max(len(found), 1) % 2 == 0
    seen = np.zeros(n_texts, bool)
    seen[found[is_kept]] = True
    rest = seen[found[~is_kept]]
    return 1 - float(rest.mean()) if len(rest) else 0.0


def _bytes_of(n_labels: int) -> int:
    """Bytes of a code."""
    return 1 if n_labels < 1 << 8 else 2 if n_labels < 1 << 16 else 4


def _selected(rows: str, width: int, names: dict[int, str]) -> str:
    """Codes and texts of all rows; the texts of a row with an unknown one are kept beside it."""
    cells = [f'TRY_CAST(c{i} AS "{names[i]}") AS c{i}' if i in names else f"c{i}" for i in range(width)]
    texts = ", ".join(f"c{i} AS t{i}" for i in names)
    is_odd = " OR ".join(f"c{i} IS NULL" for i in names)
    inner = f"SELECT {', '.join(cells)}, {texts} FROM {rows}"
    listed = ", ".join(f"t{i}" for i in names)
    return f"SELECT {', '.join(numbered(width))}, CASE WHEN {is_odd} THEN [{listed}] END AS odd FROM ({inner})"


def _late(space: Workspace, table: str, labels: dict[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """All sorted texts of each column in which further ones came up."""
    counted = ", ".join(f"count(c{i})" for i in labels)
    (n, *known) = space.connection.execute(f"SELECT count(*), {counted} FROM {table}").fetchall()[0]
    late = {}
    for nth, (place, n_known) in enumerate(zip(labels, known, strict=True), 1):
        if n_known < n:
            asked = f"SELECT DISTINCT odd[{nth}] FROM {table} WHERE c{place} IS NULL LIMIT {_MOST_LATE + 1}"
            late[place] = tuple(
                sorted({*labels[place], *(row[0] for row in space.connection.execute(asked).fetchall())})
            )
    return late


def _widen(
    space: Workspace, table: str, width: int, labels: dict[int, tuple[str, ...]], late: dict[int, tuple[str, ...]]
) -> None:
    """Make the table anew with all labels."""
    places = {place: nth for nth, place in enumerate(labels, 1)}
    cells = []
    for i in range(width):
        if i not in late:
            cells.append(f"c{i}")
            continue
        enum, rank = enum_type(space.connection, late[i]), {text: nth for nth, text in enumerate(late[i], 1)}
        known = f"{[rank[text] for text in labels[i]]}[CAST(enum_code(c{i}) AS INTEGER) + 1]"
        cells.append(
            f'CASE WHEN c{i} IS NULL THEN CAST(odd[{places[i]}] AS "{enum}") ELSE {_all_labels(enum)}[{known}] END AS c{i}'
        )
    space.connection.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT {', '.join(cells)} FROM {table}")
