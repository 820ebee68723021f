"""What Spark does with the rows of a release: SQL expressions, lookups that every worker holds, batches of workers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sfumato.engine.base import ROW
from sfumato.engine.spark import quote
from sfumato.engine.spark.faults import refuse
from sfumato.engine.spark.lookup import as_frame, joined
from sfumato.engine.spark.store import runs_on_spark, stored
from sfumato.engine.sql.marginals import published_mark
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.joined.rows import Batches
    from sfumato.engine.spark.table import SparkTable

_NEW = (
    "Every row must have values that the recipe knows; some rows are new.",
    "keep the source as it is while it is read, or decide a recipe for the new table.",
)


@dataclass(frozen=True, slots=True, eq=False)
class SparkRows:
    """A DataFrame as `Rows`; its methods are explained there."""

    frame: Any
    in_order: bool

    @classmethod
    def of(cls, table: SparkTable) -> SparkRows:
        """The rows of a table."""
        return cls(table.frame, table.in_order and runs_on_spark(table.session))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(field.name for field in self.frame.schema.fields)

    @property
    def types(self) -> tuple[str, ...]:
        """Spark's `simpleString`."""
        return tuple(field.dataType.simpleString() for field in self.frame.schema.fields)

    @property
    def schema(self) -> pa.Schema:
        """Their Arrow types."""
        from pyspark.sql.pandas.types import to_arrow_schema

        return to_arrow_schema(self.frame.schema)

    def select(self, *sql: str) -> SparkRows:
        """Spark sorts the rows of a window."""
        return SparkRows(self.frame.selectExpr(*sql), self.in_order and not any(" OVER (" in one for one in sql))

    def where(self, sql: str) -> SparkRows:
        """A filter."""
        return replace(self, frame=self.frame.where(sql))

    def joined(
        self, columns: Mapping[str, pa.Array], keys: Mapping[str, str], between: Sequence[str] = ()
    ) -> SparkRows:
        """Rows stay in order where every worker holds the lookup."""
        frame, is_everywhere = joined(self.frame, columns, keys, between)
        return SparkRows(frame, self.in_order and is_everywhere)

    def mapped(self, work: Batches, new: Mapping[str, pa.DataType]) -> SparkRows:
        """Workers need Sfumato."""
        from pyspark.sql.pandas.types import from_arrow_type

        fields = [f"{name} {kind}" for name, kind in zip(self.columns, self.types, strict=True)]
        fields += [f"{name} {from_arrow_type(kind).simpleString()}" for name, kind in new.items()]
        return replace(self, frame=self.frame.mapInArrow(work, ", ".join(fields)))

    def drawn(self) -> SparkRows:
        """See `store.stored`."""
        return replace(self, frame=stored(self.frame))

    def shuffled(self, key: str) -> SparkRows:
        """Order the rows by SHA-256 of the key and their position.

        Nothing is stored: the order is the same whenever it is computed. The key is a cell of a table, so that no plan
        or log of the cluster shows it.
        """
        secret = as_frame(self.frame.sparkSession, {"shuffle_key": pa.array([key])})
        kept = [name for name in self.frame.columns if name != ROW]
        place = f"substring(sha2(concat(shuffle_key, CAST({ROW} AS STRING)), 256), 1, 32) AS {ROW}"
        return SparkRows(self.frame.crossJoin(secret.hint("broadcast")).selectExpr(place, *kept), in_order=False)

    def distinct(self, names: Sequence[str]) -> pa.Table:
        """One grouping of the cluster."""
        return self.frame.selectExpr(*names).distinct().toArrow()

    def count(self) -> int:
        """Number of rows."""
        return int(self.frame.count())

    def identifier(self, name: str) -> str:
        """A column name, quoted."""
        return quote.identifier(name)

    def literal(self, text: str) -> str:
        """A text constant."""
        return quote.literal(text)

    def known(self, hit: str, value: str, kind: pa.DataType) -> str:
        """A row without an entry stops the query."""
        from pyspark.sql.pandas.types import from_arrow_type

        plain = kind.value_type if hasattr(kind, "value_type") else kind
        failure = refuse(*_NEW, from_arrow_type(plain).simpleString())
        return f"CASE WHEN {hit} IS NULL THEN {failure} ELSE {value} END"

    def mark(self, column: str, cell: str) -> str:
        """A cell that says neither stops the query."""
        return published_mark(column, cell, refuse)
