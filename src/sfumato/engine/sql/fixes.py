"""Who was seen when and where: four columns, texts as places in lists of distinct ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.engine.arrow_arrays import places_of
from sfumato.summary.fixes import Fixes, FixesOf
from sfumato.table.cells import centers_of
from sfumato.table.clock import Stamps

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.engine.sql.answers import Answers
    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.types import FloatArray, IntArray


def fixes(dialect: SqlDialect, ask: FixesOf) -> Fixes:
    """All rows; cells that are no number are missing.

    Raises:
        SchemaError: the table has no such column, or none that can be asked about.
    """
    texts = f"{dialect.value(ask.person)} AS p, {dialect.value(ask.time)} AS s"
    if ask.latitude is not None and ask.longitude is not None:
        place = f"{dialect.cell(ask.latitude).number} AS a, {dialect.cell(ask.longitude).number} AS o"
    else:
        place = f"{dialect.value(ask.cell or '')} AS c"
    found = dialect.run(f"SELECT {texts}, {place} FROM {dialect.relation} t")
    persons, person = _listed(dialect, found, "p")
    texts_of_times = dialect.texts_of(found["s"].combine_chunks())
    stamps = stamps_of(texts_of_times)
    times, time = _places(texts_of_times) if stamps is None else (stamps, np.zeros(0, np.int64))
    if "c" not in found.column_names:
        return Fixes(persons, person, times, time, _doubles(found, "a"), _doubles(found, "o"))
    cells, cell = _listed(dialect, found, "c")
    latitude, longitude = (np.append(one, np.nan)[cell] for one in centers_of(cells, ask.grid))
    return Fixes(persons, person, times, time, latitude, longitude)


def _listed(dialect: SqlDialect, found: pa.Table, column: str) -> tuple[tuple[str, ...], IntArray]:
    """Distinct texts, and the place of each row's in them."""
    return _places(dialect.texts_of(found[column].combine_chunks()))


def _places(texts: pa.Array) -> tuple[tuple[str, ...], IntArray]:
    """Distinct texts, and the place of each row's in them."""
    encoded = texts.dictionary_encode()
    return tuple(encoded.dictionary.to_pylist()), places_of(encoded)


_FORMS: tuple[tuple[Literal["numbers", "clocks", "moments"], str, str], ...] = (
    ("numbers", r"^-?[0-9]{1,15}$", "int64"),
    ("clocks", r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?)?$", "timestamp[ms]"),
    ("moments", r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,3})?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$", "UTC"),
)  # fmt: skip
"""Forms of times that Arrow reads as `table.clock` does, where all of a column have one."""


def stamps_of(texts: pa.Array) -> Stamps | None:
    """Times that are all written alike, as numbers; None: they are not, or one cannot be read.

    Example:
        >>> import pyarrow as pa
        >>> stamps_of(pa.array(["1970-01-01 00:00:01", None])).value.tolist()
        [1000, 0]
        >>> stamps_of(pa.array(["1970-01-01 00:00:01", "soon"])) is None
        True
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    first = next((text.as_py() for text in texts[:_LOOKED_AT] if text.is_valid), None)
    for form, pattern, kind in _FORMS:
        if first is None or re.match(pattern, first) is None:
            continue
        if not pc.all(pc.match_substring_regex(texts, pattern)).as_py():
            return None
        try:
            typed = texts.cast(pa.timestamp("ms", "UTC") if kind == "UTC" else kind)
        except pa.ArrowInvalid:
            return None
        value = typed.cast(pa.int64()).fill_null(0)
        has = texts.is_valid().cast(pa.uint8())
        return Stamps(form, np.array(np.from_dlpack(value)), np.array(np.from_dlpack(has)) > 0)
    return None


_LOOKED_AT = 1000
"""Cells among which one must be there."""


def _doubles(found: pa.Table, column: str) -> FloatArray:
    """A column of doubles, null as NaN."""
    values = found[column].combine_chunks()
    out = np.array(np.from_dlpack(values.fill_null(float("nan")) if values.null_count else values), np.float64)
    return out if len(values) else np.zeros(0)


ANSWERS: Answers = {FixesOf: fixes}
"""What is answered here."""
