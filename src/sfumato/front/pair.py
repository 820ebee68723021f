"""What somebody who received two tables can ask them: read them, then `count` and `average`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import SourceError
from sfumato.release.anatomy.choice import BUCKET, COUNT
from sfumato.release.anatomy.reread import columns_of, pair_from
from sfumato.table.schema import Column, Kind, Role
from sfumato.table.source import source_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.summary.pair import Pair


def read_pair(rows: object, values: object, *, kinds: Mapping[str, str] | None = None) -> Pair:
    """Read a table of rows and a table of values of one release.

    Args:
        rows: the first table: `bucket` and the columns of the rows. A path, a table in memory or a source.
        values: the second table: `bucket`, the sensitive column, `count`.
        kinds: for some columns "integer", "decimal" or "date"; the others are text. Averages and ranges need it.

    Returns:
        What `sfumato.utility.bucket_queries` answers from.

    Raises:
        SourceError: the tables cannot be read, or do not belong together.

    Example:
        >>> import pyarrow as pa
        >>> from sfumato.utility.bucket_queries import Between, count
        >>> rows = pa.table({"bucket": [0, 1, 0, 1], "age": [20, 30, 41, 57]})
        >>> values = pa.table({"bucket": [0, 0, 1], "illness": ["flu", "gout", "flu"], "count": [1, 1, 2]})
        >>> pair = read_pair(rows, values, kinds={"age": "integer"})
        >>> count(pair, {"age": Between(40, 60), "illness": {"flu"}})
        Answer(value=1.5, low=1.0, high=2.0, deviation=0.5)
    """
    engine, declared = DuckDBEngine(), dict(kinds or {})
    first, second = (engine.scan(source_from(table)) for table in (rows, values))
    sensitive = [name for name in engine.header(second).names if name not in (BUCKET, COUNT)]
    names = engine.header(first).names
    if len(sensitive) != 1 or BUCKET not in names or not {BUCKET, COUNT} <= set(engine.header(second).names):
        raise SourceError(
            "Two tables share a column {bucket!r}, and the second has one column beside it and {count!r}; these have not.",
            "give the table of rows first, then the table of values.",
            bucket=BUCKET,
            count=COUNT,
        )
    left = [Column(n, Role.QUASI_IDENTIFYING, Kind(declared.get(n, "text"))) for n in names if n != BUCKET]
    right = [Column(sensitive[0], Role.SENSITIVE, Kind(declared.get(sensitive[0], "text")))]
    attributes = columns_of(engine, first, left)
    return pair_from(engine, first, second, attributes, columns_of(engine, second, right)[0])
