"""Lines as a file, as they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.table.lines import NO_TIME

if TYPE_CHECKING:
    from sfumato.table.lines import CellKind, Lines, LineShape


def written_lines(lines: Lines, shape: LineShape) -> bytes:
    r"""The file of lines; numbers with all their digits. Deleted lines have empty cells.

    Example:
        >>> from sfumato.table.lines import Labels, LineColumn, Lines, LineShape
        >>> shape = LineShape((LineColumn("id", "text"), LineColumn("date", "day")), ",", header=True)
        >>> made = Lines({"id": Labels(("DEL", "a"), np.array([1, 0])), "date": np.array([1, 2])}, 2)
        >>> written_lines(made, shape)
        b'id,date\na,1970/01/02\nDEL,\n'
    """
    columns = [_cells(lines, one.name, one.kind) for one in shape.columns]
    if shape.deleted is not None:
        gone = lines.labels(shape.columns[0].name).is_named(shape.deleted)
        columns[1:] = [np.where(gone, "", cells) for cells in columns[1:]]
    rows = [shape.separator.join(cells) for cells in zip(*(one.tolist() for one in columns), strict=True)]
    first = [shape.separator.join(one.name for one in shape.columns)] if shape.header else []
    return "\n".join([*first, *rows]).encode() + b"\n"


def _cells(lines: Lines, name: str, kind: CellKind) -> np.ndarray:
    """(n,) texts of a column."""
    if kind == "text":
        labels = lines.labels(name)
        return np.array([*labels.names, ""])[labels.codes]
    if kind == "number":
        return np.array([repr(one) for one in lines.numbers(name).tolist()])
    cells = lines.whole(name)
    known = cells != NO_TIME
    if kind == "whole":
        return np.where(known, cells.astype(str), "")
    unit = "D" if kind == "day" else "s"
    texts = np.where(known, cells, 0).astype(f"datetime64[{unit}]").astype(str)
    told = np.char.replace(texts, "-", "/") if kind == "day" else np.char.replace(texts, "T", " ")
    return np.where(known, told, "")
