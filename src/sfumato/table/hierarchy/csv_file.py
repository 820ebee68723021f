"""A hierarchy in a file, in ARX's format: one line per value, its ancestors after it, no header.

All lines are leaves, those that the table lacks included: a loss measure divides by their number.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import IncompleteHierarchy, ParameterError, SourceError
from sfumato.frozen import dataclass
from sfumato.table.contents import read_bytes
from sfumato.table.hierarchy.match import Match, match_values
from sfumato.table.hierarchy.tree import Hierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.schema import Column

DELIMITERS = (";", "\t", "|", ",")
"""Tried in this order."""
_SNIFFED_LINES = 200
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class CsvFile:
    """The hierarchy written in a CSV file (gzip allowed).

    Args:
        path: the file.
        delimiter: one character; None: found from the lines.
        encoding: Python codec name; None: from the byte order mark, else UTF-8.
        match: when a value of the table and a value of the file mean the same.
    """

    path: Path
    delimiter: str | None = None
    encoding: str | None = None
    match: Match = Match.EXACT

    def __post_init__(self) -> None:
        if self.delimiter is not None and len(self.delimiter) != 1:
            raise ParameterError(
                "`delimiter` must be one character; got {delimiter!r}.",
                "give one, or leave it out.",
                delimiter=self.delimiter,
            )

    @property
    def words(self) -> str:
        """It in a few words, without values of the table."""
        return f"file {self.path.name}"

    def build(self, column: Column, values: Sequence[str | None]) -> Hierarchy:
        """Read the file; each value of the table must be in it.

        Raises:
            SourceError: the file cannot be read. Remedy: correct the path or the encoding.
            IncompleteHierarchy: lines of different lengths, or no common root.
            AmbiguousHierarchy: a value on two lines, or a node with two parents.
            ValueNotInHierarchy: the table has a value that the file lacks.
            ValueFormMismatch: it is there as another form of the same number.
        """
        tree = Hierarchy.from_paths(column.name, read_paths(self, column.name))
        leaves = [label for label in tree.labels[0] if label is not None]
        present = [value for value in values if value is not None]
        if self.match is Match.EXACT and set(present).issubset(leaves):
            return tree
        return _with_leaves(tree, match_values(column, leaves, present, self.match))


def read_paths(spec: CsvFile, column: str) -> list[list[str]]:
    """The lines of the file, split; blank lines and an empty last field on every line are left out."""
    text = _text(spec, column)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=spec.delimiter or sniff_delimiter(text), strict=True)
    try:
        paths = [line for line in reader if line]
    except csv.Error as error:
        raise IncompleteHierarchy(
            "Every quoted field in the hierarchy file of {column!r} must be closed; line {line_num} is not.",
            "close the quote, or double a quote that belongs to the text.",
            column=column,
            line_num=reader.line_num,
        ) from error
    n_empty = min((min(len(path) - 1, _n_empty_ends(path)) for path in paths), default=0)
    return [path[: len(path) - n_empty] for path in paths]


def _n_empty_ends(path: Sequence[str]) -> int:
    """How many fields at the end of a line are empty.

    Example:
        >>> _n_empty_ends(["a", "", "*", "", ""])
        2
    """
    return next((n for n, field in enumerate(reversed(path)) if field), len(path))


def sniff_delimiter(text: str) -> str:
    r"""The delimiter that splits all lines into the same number (> 1) of fields, best into a root.

    Example:
        >>> sniff_delimiter("5;[0, 5[;*\n7;[5, 9[;*\n")
        ';'
    """
    head = io.StringIO(text, newline="").readlines()[:_SNIFFED_LINES]
    return max(DELIMITERS, key=lambda delimiter: (_evidence(head, delimiter), -DELIMITERS.index(delimiter)))


def _evidence(lines: Sequence[str], delimiter: str) -> tuple[bool, bool, bool]:
    """Whether the lines have several fields, equally many, and end in one root."""
    paths = [path for path in csv.reader(lines, delimiter=delimiter) if path]
    widths = {len(path) for path in paths}
    several = bool(widths) and max(widths) > 1
    return several and len(widths) == 1, several and len({path[-1] for path in paths}) == 1, several


def _text(spec: CsvFile, column: str) -> str:
    data = read_bytes(spec.path, f"The hierarchy file of {column!r}")
    encoding = spec.encoding or next((codec for mark, codec in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except (UnicodeError, LookupError) as error:
        line = data[: error.start].count(b"\n") + 1 if isinstance(error, UnicodeDecodeError) else 1
        raise SourceError(
            "The hierarchy file of {column!r} must be text in {encoding}; line {line} is not.",
            'declare its encoding beside it (`encoding = "latin-1"`).',
            column=column,
            encoding=encoding,
            line=line,
        ) from error


def _with_leaves(tree: Hierarchy, texts: dict[str, list[str]]) -> Hierarchy:
    """The same tree whose leaves are spelled as the table spells them."""
    rows = [(text, code) for code, leaf in enumerate(tree.labels[0]) for text in texts[leaf or ""]]
    labels, codes = [text for text, _ in rows], [code for _, code in rows]
    upper = tuple(ancestors[codes] for ancestors in tree.ancestors[1:])
    first = Hierarchy.flat(tree.column, labels)
    return Hierarchy(tree.column, (first.labels[0], *tree.labels[1:]), (first.ancestors[0], *upper))
