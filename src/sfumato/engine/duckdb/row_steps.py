"""What is published in a cell that is drawn or renamed on its own? Computed once, stored, and joined to the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import dictionary_of
from sfumato.engine.duckdb.leaves import cell_text, digit_of, is_missing
from sfumato.engine.duckdb.lookup import label_type, store
from sfumato.engine.duckdb.query import Label
from sfumato.engine.duckdb.table import ROW
from sfumato.errors import SchemaError
from sfumato.noise.bernoulli import bernoulli

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.engine.duckdb.query import Query
    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import Randomize, Rewrite


def keep(query: Query, chance: Fraction, *, bits: Bits) -> None:
    """Toss a coin for each row and keep those that win; drawn once."""
    rows = query.table.connection.sql(f"SELECT {ROW} AS row FROM {query.rows}").to_arrow_table()["row"]
    stays = bernoulli(len(rows), chance, bits=bits)
    kept = store(query.table.connection, {"row": rows.filter(pa.array(stays)).combine_chunks()}, {})
    query.only.append(f"{ROW} IN (SELECT row FROM {kept})")


def randomize(query: Query, step: Randomize, *, bits: Bits) -> None:
    """Draw what each cell publishes; drawn once, in the order of the rows."""
    name = step.attribute.name
    digit = digit_of(query.table, step.attribute)
    found = query.table.connection.sql(
        f"SELECT {ROW} AS row, d FROM (SELECT {ROW}, {digit.sql} AS d, {is_missing(query.table, name)} AS gone "
        f"FROM {query.rows}) WHERE NOT gone ORDER BY {ROW}"
    ).to_arrow_table()
    leaves = digit.leaf[found["d"].to_numpy()]
    if leaves.min(initial=0) < 0:
        raise SchemaError(
            "Every cell of {name!r} must be a declared value; some are not.",
            "declare every value that can occur.",
            name=name,
        )
    places, index = np.unique(step.draw.draw(leaves, bits=bits), return_inverse=True)
    texts = pa.DictionaryArray.from_arrays(pa.array(index), pa.array(step.draw.texts(places.tolist()), pa.string()))
    _join(query, name, {"k": found["row"].combine_chunks(), "text": texts}, f"r.{ROW}")


def rewrite(query: Query, step: Rewrite) -> None:
    """Name each distinct text once, and join the names."""
    text, gone = cell_text(step.column), is_missing(query.table, step.column)
    found = query.table.connection.sql(
        f"SELECT DISTINCT text FROM (SELECT {text} AS text, {gone} AS gone FROM {query.rows}) WHERE NOT gone ORDER BY 1"
    ).to_arrow_table()["text"]
    names = dictionary_of(step.naming.texts(found.to_pylist()))
    _join(query, step.column, {"k": found.combine_chunks(), "text": names}, query.read(text))


def _join(query: Query, column: str, columns: dict[str, pa.Array], on: str) -> None:
    """Join the texts of a column; cells without one are published as they were written."""
    kind = label_type(query.table.connection, columns["text"])
    stored = store(query.table.connection, columns, {"text": kind})
    alias = f"w{len(query.joins)}"
    query.joins.append(f"LEFT JOIN {stored} {alias} ON {alias}.k = {on}")
    query.labels[column] = Label(f"{alias}.text", kind, is_total=False)
