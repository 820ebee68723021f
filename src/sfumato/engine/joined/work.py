"""What a worker does to the rows that it is given: steps that need no other row, on Arrow batches.

Workers need Sfumato. Chance comes from each worker's own operating system. A text is what the embedded
engine writes, because the embedded engine writes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sfumato.engine.base import marked
from sfumato.engine.duckdb.batch import cells_of, one_column, open_batch, texts_of
from sfumato.engine.duckdb.table import guarded
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.bits import SystemBits
from sfumato.recipe.steps import Rewrite, Round, TopBottom

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from duckdb import DuckDBPyConnection

    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import Draw


@dataclass(frozen=True, slots=True)
class Drawn:
    """A `Randomize` without its tree.

    Args:
        leaves: the canonical text of each leaf, None for missing.
        draw: what is published.
    """

    leaves: tuple[str | None, ...]
    draw: Draw


@dataclass(frozen=True, slots=True)
class CellWork:
    """What becomes of the cells of one column.

    Args:
        source: inner name of the column.
        target: name of the new column.
        column: its name, which messages show.
        step: what is done.
        missing: texts that mean "missing", besides null.
        as_text: whether the result is published as text in any case.
    """

    source: str
    target: str
    column: str
    step: Drawn | Rewrite | Round | TopBottom
    missing: tuple[str, ...]
    as_text: bool

    def apply(self, cells: pa.Array, connection: DuckDBPyConnection, *, bits: Bits) -> pa.Array:
        """The published cells.

        Raises:
            SchemaError: (inside `faults.guarded`) a cell that the step cannot publish.
        """
        table = one_column(connection, self.column, cells, missing=self.missing)
        if isinstance(self.step, (Round, TopBottom)):
            out = cells_of(table, self.step)
            if self.as_text and out.type != pa.string():
                out = texts_of(one_column(connection, self.column, out, missing=()))[0]
            return out
        texts, missing = texts_of(table)
        here = np.flatnonzero(~missing.to_numpy(zero_copy_only=False))
        some = texts.take(pa.array(here))
        new = _renamed(some, self.step) if isinstance(self.step, Rewrite) else _drawn(some, self, self.step, bits=bits)
        index = np.arange(len(texts))
        index[here] = len(texts) + np.arange(len(here))
        return pa.concat_arrays([texts, new]).take(pa.array(index))


def _renamed(texts: pa.Array, step: Rewrite) -> pa.Array:
    """The name of each text; each distinct one is named once."""
    encoded = texts.dictionary_encode()
    return pa.array(step.naming.texts(encoded.dictionary.to_pylist()), pa.string()).take(encoded.indices)


def _drawn(texts: pa.Array, work: CellWork, step: Drawn, *, bits: Bits) -> pa.Array:
    known = [(text, code) for code, text in enumerate(step.leaves) if text is not None]
    place = pc.index_in(texts, pa.array([text for text, _ in known], pa.string()))
    if place.null_count:
        raise SchemaError(
            "Every cell of {column!r} must be a declared value; some are not.",
            "declare every value that can occur.",
            column=work.column,
        )
    leaves = np.array([code for _, code in known], np.int64)[place.to_numpy(zero_copy_only=False)]
    places, index = np.unique(step.draw.draw(leaves, bits=bits), return_inverse=True)
    return pa.array(step.draw.texts(places.tolist()), pa.string()).take(pa.array(index))


@dataclass(frozen=True, slots=True)
class RowWork:
    """All that is done to rows on their own.

    Args:
        cells: one for each changed column.
        keep: chance that a row stays; None: every one does.
    """

    cells: tuple[CellWork, ...]
    keep: Fraction | None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows that stay, with the new columns last. No message of a worker shows a cell."""
        bits = SystemBits()
        try:
            with guarded(), open_batch() as connection:
                for batch in batches:
                    yield self._batch(batch, connection, bits=bits)
        except SchemaError as refusal:
            raise RuntimeError(marked(refusal.problem, refusal.remedy)) from None
        except Exception as failure:  # noqa: BLE001  # the message may hold cells, so none is passed on
            raise RuntimeError(f"A worker of Sfumato failed: {type(failure).__name__}.") from None

    def _batch(self, batch: pa.RecordBatch, connection: DuckDBPyConnection, *, bits: Bits) -> pa.RecordBatch:
        """Toss the coins first, then publish the cells of the rows that stay."""
        if self.keep is not None:
            batch = batch.filter(pa.array(bernoulli(batch.num_rows, self.keep, bits=bits)))
        new = [work.apply(batch[work.source], connection, bits=bits) for work in self.cells]
        names = [*batch.schema.names, *(work.target for work in self.cells)]
        return pa.RecordBatch.from_arrays([*batch.columns, *new], names=names)
