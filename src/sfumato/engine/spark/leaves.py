"""Which leaf does a native cell mean? Decided on the driver, for distinct cells only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.engine.spark.native import literals_of, texts_of
from sfumato.engine.spark.quote import identifier
from sfumato.errors import SchemaError

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


def cell(table: SparkTable, column: str) -> str:
    """SQL of a cell in its native type, NULL where it is missing: two cells are equal if and only if their leaves are.

    Raises:
        SchemaError: the table has no such column.
    """
    codes = literals_of(table.missing_codes(column), table.header.type_of(column))
    name = identifier(column)
    return f"IF({name} IN ({', '.join(codes)}), NULL, {name})" if codes else name


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

    def codes(self, found: Any) -> IntArray:
        """(n, m) int64 leaf codes of the columns k0, k1, … of a result.

        Raises:
            SchemaError: a cell without a leaf.
        """
        out = np.empty((found.num_rows, len(self.attributes)), np.int64)
        for j, attribute in enumerate(self.attributes):
            out[:, j] = leaf_codes(attribute, found[f"k{j}"])
        return out
