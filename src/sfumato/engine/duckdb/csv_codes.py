"""A CSV file in which each line is a row, read by Arrow as codes: each column as its different texts and their places.

Arrow numbers the texts of a block as it reads them; the numbers of its blocks become those of the file by a lookup. So
a text is hashed once and nowhere copied, and labels that come up late cost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt
    import pyarrow as pa

_BLOCK, _OF_COLUMN = 1 << 20, 1 << 12
"""Bytes that are read at once, which stay in the processor's cache; more where columns are many, for each costs a call."""
MOST_LABELS, LEAST_REPEATED = 2_000, 8
"""Different texts that any column may have; it may have more if each of them is seen so often on average."""
_MOST = 1 << 16
"""Different texts that two bytes tell apart."""


@dataclass(frozen=True, slots=True)
class Lines:
    """A file in UTF-8 whose lines are rows, none of them quoted.

    Args:
        path: the file.
        delimiter: one ASCII character.
        width: cells of a row.
        skip: lines before the rows.
        n_rows: rows, if each further line is one.
    """

    path: Path
    delimiter: str
    width: int
    skip: int
    n_rows: int


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """A column of n rows.

    Args:
        texts: its different texts, sorted.
        places: (n,) of one or two bytes, the place of each row's text among them.
    """

    texts: tuple[str, ...]
    places: npt.NDArray[np.uint8 | np.uint16]


def read_codes(lines: Lines, most_bytes: int) -> list[Codes] | None:
    r"""All columns of a file; None if one has too many texts, if the codes take too many bytes, or a row is no row.

    Args:
        lines: the file.
        most_bytes: that the codes may take.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as name:
        ...     path = Path(name) / "table.csv"
        ...     _ = path.write_bytes(b"sex;age\nf;71\nm;\nf;8\n")
        ...     for column in read_codes(Lines(path, ";", width=2, skip=1, n_rows=3), 100):
        ...         print(column.texts, column.places.tolist())
        ('f', 'm') [0, 1, 0]
        ('', '71', '8') [1, 0, 2]
    """
    import pyarrow as pa

    if lines.n_rows * lines.width > most_bytes or len(lines.delimiter) != 1:
        return None
    columns = [_Column(lines.n_rows) for _ in range(lines.width)]
    start = 0
    try:
        for batch in _batches(lines):
            end = start + batch.num_rows
            if end > lines.n_rows:
                return None
            for column, cells in zip(columns, batch.columns, strict=True):
                column.add(start, end, cells)
            start = end
            if any(column.has_too_many(start) for column in columns) or sum(c.n_bytes for c in columns) > most_bytes:
                return None
    except pa.ArrowInvalid:
        return None
    return [column.codes() for column in columns] if start == lines.n_rows else None


def _batches(lines: Lines) -> Iterator[pa.RecordBatch]:
    """The rows in order, each column numbered by Arrow; no text is null, trimmed or anything but what is written.

    Raises:
        ArrowInvalid: a row with other than `width` cells, or longer than a block.
    """
    import pyarrow as pa
    from pyarrow import csv

    names = [f"c{place}" for place in range(lines.width)]
    at_once = max(_BLOCK, lines.width * _OF_COLUMN)
    reading = csv.ReadOptions(column_names=names, skip_rows=lines.skip, block_size=at_once, use_threads=False)
    parsing = csv.ParseOptions(
        delimiter=lines.delimiter, quote_char=False, double_quote=False, escape_char=False, ignore_empty_lines=True
    )  # an empty line would be a row of empty cells; left out, it is missed when rows are counted
    kind = pa.dictionary(pa.int32(), pa.string())
    as_written = csv.ConvertOptions(
        column_types=dict.fromkeys(names, kind),
        strings_can_be_null=False,
        quoted_strings_can_be_null=False,
        check_utf8=False,  # whoever asks has looked at every byte
    )
    # of a path Arrow would guess by its suffix whether it is compressed
    with lines.path.open("rb") as file, csv.open_csv(file, reading, parsing, as_written) as reader:
        yield from reader


class _Column:
    """A column of which some rows were read."""

    def __init__(self, n_rows: int) -> None:
        self._places: npt.NDArray[np.uint8 | np.uint16] = np.empty(n_rows, np.uint8)
        self._known: dict[str, int] = {}

    @property
    def n_bytes(self) -> int:
        """Bytes of the codes."""
        return self._places.nbytes

    def add(self, start: int, end: int, cells: pa.DictionaryArray) -> None:
        """Keep the cells of some rows."""
        known = self._known
        of_block = [known.setdefault(text, len(known)) for text in cells.dictionary.to_pylist()]
        if len(known) > 1 << 8 and self._places.dtype == np.uint8:
            self._places = self._places.astype(np.uint16)
        places = np.array(of_block, np.uint32).astype(self._places.dtype)
        self._places[start:end] = places[np.from_dlpack(cells.indices)]

    def has_too_many(self, n_rows: int) -> bool:
        """Whether so many rows have more different texts than codes are good for."""
        return len(self._known) > min(max(MOST_LABELS, n_rows // LEAST_REPEATED), _MOST)

    def codes(self) -> Codes:
        """The column by the order of its texts."""
        texts = sorted(self._known)
        rank = np.empty(len(texts), self._places.dtype)
        rank[[self._known[text] for text in texts]] = np.arange(len(texts))
        return Codes(tuple(texts), rank[self._places])
