"""The rows of a hospital, as codes: read once, never sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import SchemaError, SourceError
from sfumato.frozen import dataclass
from sfumato.release.perturbing import code_first
from sfumato.summary.classes import distinct_rows
from sfumato.table.source import FrameSink

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine
    from sfumato.noise.bits import Bits
    from sfumato.table.source import Source
    from sfumato.together.terms import Terms
    from sfumato.types import BoolArray, IntArray

_MOST_ASKED = 2**31 - 1
_LONGEST = 4000
"""Bytes of a cell that is carried."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """One column.

    Args:
        values: distinct texts, None for a missing cell.
        codes: (n,) int64 place of each row's text.
    """

    values: tuple[str | None, ...]
    codes: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The rows of one holder.

    Args:
        known: quasi-identifiers, in the order of the plan.
        carried: the columns that are published as they are.
        asked: (n,) int64 own k of each row's person; 0: asks for none.
        of: (n,) int64 tuple of each row.
        tuples: (t, m) int64 distinct tuples of quasi-identifiers and own k, sorted; the last column is the k.
    """

    known: tuple[Coded, ...]
    carried: tuple[Coded, ...]
    asked: IntArray
    of: IntArray
    tuples: IntArray

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.of)

    @property
    def counts(self) -> IntArray:
        """(t,) int64 rows of each tuple."""
        return np.bincount(self.of, minlength=len(self.tuples))

    def chosen(self, rows: BoolArray) -> Held:
        """Only the rows where `rows` (n,) is true."""
        known, carried = ([Coded(one.values, one.codes[rows]) for one in part] for part in (self.known, self.carried))
        return held_from(known, carried, self.asked[rows])


def held_from(columns: Sequence[Coded], carried: Sequence[Coded], asked: IntArray) -> Held:
    """The rows whose quasi-identifiers, other columns and own k are these.

    Example:
        >>> zips = Coded(("75", "69"), np.array([0, 1, 0]))
        >>> held = held_from([zips], [], np.array([0, 0, 5]))
        >>> held.tuples.tolist(), held.counts.tolist()
        ([[0, 0], [0, 5], [1, 0]], [1, 1, 1])
    """
    tuples, of = distinct_rows(np.stack([*(one.codes for one in columns), asked], axis=1))
    return Held(tuple(columns), tuple(carried), asked, of, tuples)


def read_held(source: Source, terms: Terms, engine: Engine[Any], bits: Bits) -> Held:
    """Read a hospital's table; top and bottom coding and rounding of the plan are done first.

    Args:
        source: the table.
        terms: the plan says what columns mean.
        engine: where it is read.
        bits: nothing is drawn.

    Raises:
        SourceError: it has no row, or columns that are no text.
        SchemaError: its columns are not those of the plan.
    """
    plan = terms.plan
    table = engine.scan(source)
    header = engine.header(table)
    plan.schema.check_covers(header.names)
    if not header.n_rows:
        raise SourceError("A table must hold at least one row; this one has none.", "check the source.")
    if plan.first:
        table, _ = code_first(engine, table, plan, bits=bits)
    frame: Any = engine.write(table, FrameSink("arrow")).frame
    known = [_coded(frame, column.name) for column in plan.schema.quasi_identifiers]
    carried = [_coded(frame, column.name) for column in terms.carried]
    for one in carried:
        if max((len(v.encode()) for v in one.values if v is not None), default=0) > _LONGEST:
            raise SourceError(
                "A cell that is carried must have {longest} bytes at most; some have more.", "shorten them.",
                longest=_LONGEST,
            )  # fmt: skip
    asked = np.zeros(header.n_rows, np.int64) if plan.personal_k is None else _asked(frame, plan.personal_k)
    return held_from(known, carried, asked)


def _coded(frame: Any, name: str) -> Coded:
    """A column of an Arrow table."""
    column = frame.column(name)
    if str(column.type) not in ("string", "large_string") and not str(column.type).startswith("dictionary"):
        raise SourceError(
            "Column {name!r} must be text, as all columns of a CSV file are; it is {type}.",
            "copy the table into a CSV file: `sfumato convert`.",
            name=name,
            type=str(column.type),
        )
    encoded = column.dictionary_encode().unify_dictionaries().combine_chunks()
    chunks = encoded.chunks if hasattr(encoded, "chunks") else [encoded]
    indices = chunks[0].indices
    codes = np.frombuffer(indices.buffers()[1], np.int32)[indices.offset : indices.offset + len(indices)].astype(
        np.int64
    )
    values: list[str | None] = chunks[0].dictionary.to_pylist()
    if indices.null_count:
        absent = ~np.array(indices.is_valid().to_pylist(), np.bool_)
        codes[absent] = len(values)
        values = [*values, None]
    return Coded(tuple(values), codes)


def _asked(frame: Any, name: str) -> IntArray:
    """(n,) own k of each row."""
    column = _coded(frame, name)
    try:
        asks = [0 if value is None else int(value) for value in column.values]
    except ValueError:
        asks = [-1]
    if any(not 0 <= ask <= _MOST_ASKED for ask in asks):
        raise SchemaError(
            "Every cell of {name!r}, in which persons ask for their own k or l, must be a whole number >= 0; some are not.",
            "correct them; leave the cell missing where nobody asks.",
            name=name,
        )
    return np.array(asks, np.int64)[column.codes]
