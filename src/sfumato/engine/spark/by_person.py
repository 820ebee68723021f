"""Work on a Spark table person by person: all rows of a person reach one worker together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa  # noqa: TC002  Spark reads the types of a function when it runs

from sfumato.engine.spark.quote import identifier
from sfumato.errors import SchemaError
from sfumato.numbers.check import as_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_PART = "__part"


def by_person(frame: Any, columns: Sequence[str], work: Callable[[Any], Any], schema: str, parts: int) -> Any:
    """A Spark DataFrame of what `work` makes of whole persons.

    Persons are dealt into parts by a hash of their name, and each part is handed to a worker as one Arrow table
    (`applyInArrow`). A sort before `mapInArrow` would need less memory, but Spark does not promise to keep it and Sail
    leaves it out; groups are whole on every engine.

    Args:
        frame: a Spark DataFrame.
        columns: those that are read; the first one is the person.
        work: from an Arrow table of whole persons to an Arrow table; it runs on the workers.
        schema: columns of what it makes, as Spark writes types.
        parts: into how many parts persons are dealt; a worker holds one part.

    Raises:
        SchemaError: a column is absent.
        ParameterError: no part.
    """
    absent = [column for column in columns if column not in frame.columns]
    if absent:
        raise SchemaError(
            "A table of traces must have every named column; absent: {absent}.",
            "correct the names (they are compared exactly, blanks included).",
            absent=absent,
        )
    n, names = as_whole("parts", parts, low=1), list(dict.fromkeys(columns))
    plain = [
        f"{identifier(name)} AS c{place}" for place, name in enumerate(names)
    ]  # names of any letters come back below
    dealt = frame.selectExpr(*plain, f"pmod(hash({identifier(names[0])}), {n}) AS {_PART}")

    def worked(table: pa.Table) -> pa.Table:  # Spark reads these types
        return work(table.drop_columns([_PART]).rename_columns(names))

    return dealt.groupBy(_PART).applyInArrow(worked, schema)
