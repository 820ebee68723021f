"""Native cells as keys: which leaves and canonical texts distinct ones have, decided in memory.

The canonical text is DuckDB's cast, so it is made by DuckDB, from distinct values only. Other engines' casts write
numbers and times otherwise (`1.0E7`). Whole numbers and truth values have one text everywhere: no database is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sfumato.engine.duckdb.connect import open_workspace
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


def texts_of(values: Any) -> list[str | None]:
    """Canonical texts of native values.

    Args:
        values: Arrow array of the types that the engine reads.

    Returns:
        One text for each value; None for null.

    Example:
        >>> texts_of(pa.array([5.0, 1e20, None])), texts_of(pa.array([True]))
        (['5.0', '1e+20', None], ['true'])
    """
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        return list(values.to_pylist())
    if pa.types.is_integer(values.type) or pa.types.is_boolean(values.type):
        return list(values.cast(pa.string()).to_pylist())
    connection = open_workspace(threads=1).connection
    connection.register("native", pa.table({"v": values, "i": np.arange(len(values))}))
    found = connection.sql("SELECT CAST(v AS VARCHAR) AS v FROM native ORDER BY i").to_arrow_table()
    return list(found["v"].to_pylist())


def encoded(column: Any) -> tuple[list[str | None], IntArray]:
    """Distinct canonical texts of a column, null last if it occurs, and (n,) int64: the place of each cell's text.

    Example:
        >>> import pyarrow as pa
        >>> texts, place = encoded(pa.chunked_array([[2, None, 2]]))
        >>> texts, place.tolist()
        (['2', None], [0, 1, 0])
    """
    if not len(column):
        return [], np.zeros(0, np.int64)
    found = column.dictionary_encode().unify_dictionaries().combine_chunks()
    texts = texts_of(found.dictionary)
    place = found.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False).astype(np.int64)
    return ([*texts, None] if found.null_count else texts), place


def leaf_codes(attribute: Attribute, column: Any) -> IntArray:
    """(n,) int64: the leaf of each cell of an Arrow column.

    Raises:
        SchemaError: a cell without a leaf.
    """
    texts, place = encoded(column)
    leaf = {text: code for code, text in enumerate(attribute.hierarchy.labels[0])}
    known = np.array([leaf.get(text, -1) for text in texts], np.int64)
    if known.min(initial=0) < 0:
        raise SchemaError(
            "Every value of {name!r} must be in its hierarchy; some cells are not.",
            "add the values to the hierarchy, or declare the codes that mean missing.",
            name=attribute.name,
        )
    return known[place]


@dataclass(frozen=True, slots=True, eq=False)
class NativeKey:
    """Some attributes as native cells, one column each.

    Args:
        attributes: what is read.
        cells: SQL of their cells.
    """

    attributes: tuple[Attribute, ...]
    cells: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The cells; a constant where there are none."""
        return self.cells or ("0",)

    def in_order(self, found: Any) -> Any:
        """As they come: cells do not compare as their leaves do."""
        return found

    def codes(self, found: Any) -> IntArray:
        """(n, m) int64 leaf codes of the columns k0, k1, … of a result.

        Raises:
            SchemaError: a cell without a leaf.
        """
        out = np.empty((found.num_rows, len(self.attributes)), np.int64)
        for j, attribute in enumerate(self.attributes):
            out[:, j] = leaf_codes(attribute, found[f"k{j}"])
        return out
