"""The leaves that native values of a table mean, found once for the distinct ones, on the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sfumato.engine.duckdb.batch import one_column, texts_of
from sfumato.engine.duckdb.table import guarded
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.engine.joined.draft import Draft
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Natives:
    """Distinct tuples of native values, and what they mean.

    Args:
        columns: for each attribute its inner name and the (n,) native values.
        codes: (n, m) int64 leaf codes.
        texts: for each attribute the (n,) canonical texts, null for null.
    """

    columns: dict[str, pa.Array]
    codes: IntArray
    texts: tuple[pa.Array, ...]

    def keys(self) -> dict[str, str]:
        """For each column of a lookup the column of the rows that it is compared with: they have the same names."""
        return {name: name for name in self.columns}


def read_natives(draft: Draft[Any], attributes: Sequence[Attribute]) -> Natives:
    """The distinct tuples of some attributes in the rows of a draft: one grouping of the rows.

    Raises:
        SchemaError: a value has no leaf.
    """
    names = [draft.inner(attribute.name) for attribute in attributes]
    if not names:
        draft.rows = draft.rows.select("*", f"CAST(0 AS INT) AS z{draft.n_joins}")
        names = [f"z{draft.n_joins}"]
    found = draft.rows.distinct(names)
    columns = {name: found[name].combine_chunks() for name in names}
    missing = draft.table.missing_codes
    read = [
        leaves_of(
            attribute, one_column(draft.connection, attribute.name, columns[name], missing=missing(attribute.name))
        )
        for attribute, name in zip(attributes, names, strict=False)
    ]
    codes = np.stack([codes for codes, _ in read], axis=1) if read else np.empty((len(found), 0), np.int64)
    return Natives(columns, codes, tuple(texts for _, texts in read))


def leaves_of(attribute: Attribute, column: DuckTable) -> tuple[IntArray, pa.Array]:
    """The leaf code and the canonical text of each of some native values.

    Raises:
        SchemaError: a value has no leaf. Remedy: add it to the hierarchy, or declare it as missing.
    """
    with guarded():
        texts, gone = texts_of(column)
    labels = attribute.hierarchy.labels[0]
    known = {text: code for code, text in enumerate(labels)}
    place = pc.index_in(texts, pa.array([text for text in labels if text is not None], pa.string()))
    code = np.array([code for text, code in known.items() if text is not None] + [-1], np.int64)
    leaves: IntArray = code[place.fill_null(len(code) - 1).to_numpy(zero_copy_only=False)]
    leaves = np.where(gone.to_numpy(zero_copy_only=False), known.get(None, -1), leaves)
    if leaves.min(initial=0) < 0:
        raise SchemaError(
            "Every value of {name!r} must be in its hierarchy; some cells are not.",
            "add the values to the hierarchy, or declare the codes that mean missing.",
            name=attribute.name,
        )
    return leaves, texts


def single(words: Sequence[IntArray]) -> IntArray:
    """(n,) int64: one number for each key that sorts and repeats as the key does.

    Example:
        >>> single([np.array([5, 5, 2]), np.array([9, 1, 9])]).tolist()
        [3, 2, 1]
    """
    if len(words) == 1:
        return words[0]
    key = np.unique(words[0], return_inverse=True)[1]
    for word in words[1:]:
        distinct, inverse = np.unique(word, return_inverse=True)
        key = key * len(distinct) + inverse
        if word is not words[-1]:
            key = np.unique(key, return_inverse=True)[1]
    return key.astype(np.int64)


def located(codes: IntArray, known: IntArray) -> IntArray:
    """(n,) int64: for each of (n, m) tuples its index among the distinct known ones.

    Raises:
        SchemaError: a tuple is not known.

    Example:
        >>> located(np.array([[1, 2], [0, 5]]), np.array([[0, 5], [7, 7], [1, 2]])).tolist()
        [2, 0]
    """
    size = len(known)
    joint = np.concatenate((known, codes))
    key = single([np.zeros(len(joint), np.int64), *joint.T])
    order = np.argsort(key[:size], kind="stable")
    place = np.searchsorted(key[:size], key[size:], sorter=order)
    index = order[np.minimum(place, size - 1)] if size else np.zeros(len(codes), np.int64)
    if len(codes) and (not size or np.any(key[:size][index] != key[size:])):
        raise SchemaError(
            "Every row must have quasi-identifiers that the recipe knows; some rows are new.",
            "decide a recipe for this table, or use full-domain generalization for recipes that are applied to new rows.",
        )
    return index.astype(np.int64)
