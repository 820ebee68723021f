"""How are rows counted that no group-by can count? Every worker counts its own rows, and the counts are added up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.duckdb.batch import open_batch, written
from sfumato.engine.refusal import marked
from sfumato.engine.spark.faults import guarded
from sfumato.engine.spark.quote import identifier
from sfumato.errors import ReportError, SchemaError, SfumatoError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.engine.spark.table import SparkTable
    from sfumato.summary.ask import Counting
    from sfumato.types import IntArray


def add_up(table: SparkTable, counting: Counting) -> IntArray:
    """(size,) int64: the counts of all rows; a total of rows that a worker counted twice is used once.

    Raises:
        SchemaError: an absent column.
        ReportError: rows that cannot be counted.
        EngineError: the cluster failed.
    """
    for column in counting.columns:
        table.header.type_of(column)
    try:
        with guarded():
            rows = table.unordered.selectExpr(*map(identifier, counting.columns))
            parts = rows.mapInArrow(_Worker(counting), "place BIGINT, n BIGINT")
            found = parts.groupBy("place").sum("n").toArrow()
    except SchemaError as refusal:
        failure = ReportError(refusal.problem, refusal.remedy)
        raise failure from None
    out = np.zeros(counting.size, np.int64)
    out[found["place"].to_numpy()] = found[found.column_names[1]].to_numpy()
    return out


@dataclass(frozen=True, slots=True)
class _Worker:
    """Counts the rows of one partition."""

    counting: Counting

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The places with a count, once for the whole partition."""
        total = np.zeros(self.counting.size, np.int64)
        try:
            with open_batch() as connection:
                for batch in batches:
                    texts = [written(column, connection).to_pylist() for column in batch.columns]
                    total += self.counting.count(texts)
        except SfumatoError as refusal:
            raise RuntimeError(marked(refusal.problem, refusal.remedy)) from None
        except Exception as failure:  # noqa: BLE001
            raise RuntimeError(f"A worker of Sfumato failed: {type(failure).__name__}.") from None
        places = np.flatnonzero(total)
        yield pa.RecordBatch.from_arrays([pa.array(places), pa.array(total[places])], names=["place", "n"])
