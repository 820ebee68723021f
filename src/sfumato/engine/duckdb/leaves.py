"""The leaf that a cell means: SQL that turns the cells of a row into one whole number, its key.

A cell becomes a digit in 0 … radix-1, digits become words: word = Σ digit_j · weight_j. One word of
63 bits holds nine attributes of Adult; where one does not do, there are several. Texts are looked up
in an ENUM type, or in a list where files hold them as a dictionary; whole numbers and days are counted from the
lowest leaf.
"""

from __future__ import annotations

import hashlib
from datetime import date
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import numbers, whole_numbers
from sfumato.engine.arrow_arrays import texts as arrow_texts
from sfumato.engine.duckdb.connect import identifier, literal
from sfumato.engine.duckdb.table import guarded, refuse
from sfumato.errors import InternalError, SchemaError
from sfumato.frozen import dataclass
from sfumato.numbers.order import order_of
from sfumato.numbers.threads import in_threads, pieces
from sfumato.table.source import FileSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

_WHOLE = frozenset(
    ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT", "UHUGEINT")
)
_WIDEST = 1 << 20
"""Widest range of whole numbers or days that is counted from its lowest leaf."""
_SPELLED = 500
"""Most texts that are spelled out in a statement; more are handed over as a table."""
_LISTED = 100
"""Most texts that are looked up in a list: one that comes outside a dictionary is compared with each of them."""
_LISTED_OF_OURS = 1_000
"""The same in a release that is read again: its labels were written as an ENUM, which always is a dictionary."""
_PACKED = frozenset(("parquet", "csv"))
"""Kinds of files of which columns may be held with a dictionary."""
_WORD = 1 << 62
_MANY = 1 << 17
"""Keys from which sorting them by their words pays for loading PyArrow's compute functions."""
_AT_ONCE = 1 << 15
"""Keys that are read or made at once: what is computed on the way stays in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Digit:
    """How one attribute is read from a row.

    Args:
        sql: BIGINT expression over the columns of the table.
        leaf: (radix,) int64, leaf code of each digit; -1: no leaf.
    """

    sql: str
    leaf: IntArray

    @property
    def radix(self) -> int:
        """Number of digits."""
        return len(self.leaf)


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """How several attributes become one or more whole numbers.

    Args:
        words: BIGINT expressions.
        place: for each attribute the index of its word and its weight there.
        digits: the attributes.
    """

    words: tuple[str, ...]
    place: tuple[tuple[int, int], ...]
    digits: tuple[Digit, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The words."""
        return self.words

    @property
    def rises(self) -> bool:
        """Whether keys of single words are in the order of their codes."""
        return not any(np.any(np.diff(digit.leaf[digit.leaf >= 0]) < 0) for digit in self.digits)

    def in_order(self, found: pa.Table) -> pa.Table:
        """The rows of many keys, sorted by their codes, where keys are single words that rise with their codes."""
        if found.num_rows < _MANY or len(self.words) > 1 or not self.rises:
            return found
        order = order_of(numbers(found["k0"]), prod(digit.radix for digit in self.digits))
        return found.combine_chunks().take(whole_numbers(order))

    def codes(self, found: pa.Table) -> IntArray:
        """(n, m) int64 leaf codes of n keys, which are the columns k0, k1, … of a result; stored column by column.

        Raises:
            SchemaError: a value of the table has no leaf.
        """
        words = [numbers(found[f"k{w}"]) for w in range(len(self.words))]
        out = np.empty((len(self.digits), found.num_rows), np.int64).T

        def read(piece: slice) -> None:
            self._read([word[piece] for word in words], out[piece])

        in_threads(read, pieces(found.num_rows, _AT_ONCE), out.size)
        return out

    def _read(self, words: list[IntArray], out: IntArray) -> None:
        """Fill the leaf codes of some keys."""
        for j, digit in reversed(list(enumerate(self.digits))):
            word = self.place[j][0]
            rest = words[word] // digit.radix
            np.take(digit.leaf, words[word] - rest * digit.radix, out=out[:, j], mode="clip")  # each is in range
            words[word] = rest
        if out.min(initial=0) < 0:
            raise SchemaError(
                "Every value must be a leaf of its hierarchy; some whole numbers or days are not.",
                "bind the attributes to the values of this table.",
            )

    def encode(self, codes: IntArray) -> tuple[IntArray, ...]:
        """One (n,) int64 array for each word: the keys of (n, m) leaf codes that a row can have."""
        out = [np.zeros(len(codes), np.int64) for _ in self.words]

        def fill(piece: slice) -> None:
            for j, (digit, (word, weight)) in enumerate(zip(self.digits, self.place, strict=True)):
                out[word][piece] += digits_of(digit, codes[piece, j]) * weight

        in_threads(fill, pieces(len(codes), _AT_ONCE), codes.size)
        return tuple(out)


def digits_of(digit: Digit, leaves: IntArray) -> IntArray:
    """(n,) int64: the digit of each leaf code; leaves that no cell can have are refused.

    Raises:
        InternalError: a leaf that no row of the table can have.
    """
    n_leaves = int(max(digit.leaf.max(initial=-1), leaves.max(initial=-1))) + 1
    inverse = np.full(n_leaves, -1, np.int64)
    known = digit.leaf >= 0
    inverse[digit.leaf[known]] = np.flatnonzero(known)
    out = inverse[leaves]
    if len(out) and out.min() < 0:
        raise InternalError("A recipe names a leaf that no cell of its column's type can have.")
    return out


def pack(digits: Sequence[Digit]) -> Key:
    """Pack digits into as few words as hold them, at least one; earlier attributes weigh more.

    Example:
        >>> import numpy as np
        >>> two = Digit("a", np.array([0, 1]))
        >>> pack([two, Digit("b", np.array([0, 1, 2]))]).words
        ('(a) * 3 + (b) * 1',)
    """
    groups: list[list[int]] = []
    size = _WORD
    for j, digit in enumerate(digits):
        if size * digit.radix >= _WORD:
            groups.append([])
            size = 1
        groups[-1].append(j)
        size *= digit.radix
    place: list[tuple[int, int]] = [(0, 1)] * len(digits)
    words = []
    for w, group in enumerate(groups):
        weight = 1
        for j in reversed(group):
            place[j] = (w, weight)
            weight *= digits[j].radix
        words.append(" + ".join(f"({digits[j].sql}) * {place[j][1]}" for j in group))
    return Key(tuple(words) or ("CAST(0 AS BIGINT)",), tuple(place), tuple(digits))


def cell_text(column: str) -> str:
    """SQL for the canonical text of a cell.

    Example:
        >>> print(cell_text("age"))
        CAST("age" AS VARCHAR)
    """
    return f"CAST({identifier(column)} AS VARCHAR)"


def is_one_of(value: str, constants: Sequence[str]) -> str:
    """SQL that says whether a value is one of some constants.

    A list is searched row by row; DuckDB makes a join of an IN with more than five constants, and a join for each of
    many columns carries all of them.

    Example:
        >>> print(is_one_of("ascii(x)", ["43", "45"]))
        list_contains([43, 45], ascii(x))
    """
    return f"list_contains([{', '.join(constants)}], {value})"


def is_missing(table: DuckTable, column: str) -> str:
    """SQL that says whether a cell is NULL or a declared code."""
    codes = table.missing_codes(column)
    listed = f" OR {is_one_of(cell_text(column), [literal(code) for code in codes])}" if codes else ""
    return f"({identifier(column)} IS NULL{listed})"


def digit_of(table: DuckTable, attribute: Attribute) -> Digit:
    """How an attribute is read from the rows of this table.

    Raises:
        SchemaError: (when rows are read) a value has no leaf.
    """
    native = table.header.type_of(attribute.name)
    if attribute.name in table.labels:
        return _of_labels(table, attribute)
    counted = _counted(table, attribute, native)
    return _looked_up(table, attribute) if counted is None else counted


def _of_labels(table: DuckTable, attribute: Attribute) -> Digit:
    """The code of a cell itself, where each means another leaf; else the place of its leaf among those that come up.

    Leaves that no cell has come last: a recipe of another table may name them.
    """
    texts, leaves = table.labels[attribute.name], attribute.hierarchy.labels[0]
    code_of = {text: code for code, text in enumerate(leaves)}
    missing, gone = code_of.pop(None, -1), set(table.missing_codes(attribute.name))
    leaf = [missing if text in gone else code_of.get(text, -1) for text in texts]
    code = f"enum_code({identifier(attribute.name)})"
    if -1 not in leaf and len(set(leaf)) == len(leaf):
        rest = [other for other in range(len(leaves)) if other not in set(leaf)]
        return Digit(f"CAST({code} AS BIGINT)", np.array([*leaf, *rest], np.int64))
    places = ", ".join("NULL" if one < 0 else str(one) for one in leaf)
    found = f"list_extract(CAST([{places}] AS BIGINT[]), CAST({code} AS INTEGER) + 1)"
    return Digit(f"coalesce({found}, {_unknown(attribute)})", np.arange(len(leaves)))


def _unknown(attribute: Attribute) -> str:
    """SQL that refuses a cell without a leaf."""
    return refuse(
        f"Every value of {attribute.name!r} must be in its hierarchy; some cells are not.",
        "add the values to the hierarchy, or declare the codes that mean missing.",
    )


def _counted(table: DuckTable, attribute: Attribute, native: str) -> Digit | None:
    """Whole numbers and days, counted from the lowest leaf; None where that does not do."""
    if native not in _WHOLE and native != "DATE":
        return None
    labels = attribute.hierarchy.labels[0]
    numbers = {n: code for code, text in enumerate(labels) if (n := _ordinal(text, native)) is not None}
    low, high = min(numbers, default=0), max(numbers, default=0)
    if not numbers or high - low >= _WIDEST:
        return None
    leaf = np.full(high - low + 2, -1, np.int64)
    leaf[np.array(list(numbers)) - low] = list(numbers.values())
    column = identifier(attribute.name)
    start = literal(date.fromordinal(low).isoformat()) + "::DATE" if native == "DATE" else str(low)
    end = literal(date.fromordinal(high).isoformat()) + "::DATE" if native == "DATE" else str(high)
    found = f"CASE WHEN {column} BETWEEN {start} AND {end} THEN CAST({column} - {start} AS BIGINT) END"
    return _digit(table, attribute, leaf, found)


def _digit(table: DuckTable, attribute: Attribute, leaf: IntArray, found: str) -> Digit:
    """A digit from SQL that is NULL for unknown cells; the last entry of `leaf` is set to the missing leaf."""
    labels = attribute.hierarchy.labels[0]
    unknown = _unknown(attribute)
    missing = unknown
    if None in labels:
        leaf[-1] = labels.index(None)
        missing = str(len(leaf) - 1)
    sql = f"CASE WHEN {is_missing(table, attribute.name)} THEN {missing} ELSE coalesce({found}, {unknown}) END"
    return Digit(sql, leaf)


def _ordinal(text: str | None, native: str) -> int | None:
    """The number or day that a canonical text stands for; None for any other text."""
    if text is None:
        return None
    try:
        number = date.fromisoformat(text).toordinal() if native == "DATE" else int(text)
    except ValueError:
        return None
    same = date.fromordinal(number).isoformat() if native == "DATE" else str(number)
    return number if same == text else None


def _looked_up(table: DuckTable, attribute: Attribute) -> Digit:
    """Any other cell, looked up by its canonical text."""
    labels = attribute.hierarchy.labels[0]
    texts = [text for text in labels if text is not None]
    leaf = np.append(np.array([code for code, text in enumerate(labels) if text is not None], np.int64), -1)
    return _digit(table, attribute, leaf, _place(table, attribute.name, texts) if texts else "CAST(NULL AS BIGINT)")


def _place(table: DuckTable, column: str, texts: Sequence[str]) -> str:
    """SQL for the place of a cell among some texts, from 0; NULL for any other.

    DuckDB carries out a function once for each entry of a dictionary, of Parquet or of its own store, where large CSV
    files lie, and a CAST once for each row. TRY around
    a CAST, not TRY_CAST: over dictionaries the latter casts all of them anew for each vector. Where all texts are known,
    which is the rule, TRY costs nothing.
    """
    is_ours = isinstance(table.source, FileSource) and table.source.is_unordered
    few = len(texts) <= (_LISTED_OF_OURS if is_ours else _LISTED) and not any("\0" in text for text in texts)
    if few and table.header.source_kind in _PACKED and table.header.type_of(column) == "VARCHAR":
        return f"CAST(list_position([{', '.join(map(literal, texts))}], {identifier(column)}) - 1 AS BIGINT)"
    enum = identifier(enum_type(table.connection, texts))
    return f"CAST(enum_code(TRY(CAST({cell_text(column)} AS {enum}))) AS BIGINT)"


def enum_type(connection: duckdb.DuckDBPyConnection, texts: Sequence[str]) -> str:
    """Name of an ENUM type with these values in this order; made once per connection."""
    digest = hashlib.sha256("".join([f"{len(text)}:{text}" for text in texts]).encode("utf-8", "surrogatepass"))
    name = f"leaves_{digest.hexdigest()[:32]}"
    create = f"CREATE TYPE IF NOT EXISTS {identifier(name)} AS ENUM"
    with guarded():
        if len(texts) <= _SPELLED and not any("\0" in text for text in texts):
            connection.execute(f"{create} ({', '.join(map(literal, texts))})")
        else:
            values = pa.table({"i": whole_numbers(np.arange(len(texts))), "text": arrow_texts(texts)})
            connection.register("leaves_to_be", values)
            connection.execute(f"{create} (SELECT text FROM leaves_to_be ORDER BY i)")
            connection.unregister("leaves_to_be")
    return name
