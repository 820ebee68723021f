"""Who was seen when and where: four columns, texts as places in lists of distinct ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import places_of
from sfumato.summary.fixes import Fixes

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.summary.fixes import FixesOf
    from sfumato.types import FloatArray, IntArray


def fixes(dialect: SqlDialect, ask: FixesOf) -> Fixes:
    """All rows; cells that are no number are missing.

    Raises:
        SchemaError: the table has no such column, or none that can be asked about.
    """
    texts = f"{dialect.value(ask.person)} AS p, {dialect.value(ask.time)} AS s"
    degrees = f"{dialect.cell(ask.latitude).number} AS a, {dialect.cell(ask.longitude).number} AS o"
    found = dialect.run(f"SELECT {texts}, {degrees} FROM {dialect.relation} t")
    persons, person = _listed(dialect, found, "p")
    times, time = _listed(dialect, found, "s")
    return Fixes(persons, person, times, time, _doubles(found, "a"), _doubles(found, "o"))


def _listed(dialect: SqlDialect, found: pa.Table, column: str) -> tuple[tuple[str, ...], IntArray]:
    """Distinct texts, and the place of each row's in them."""
    encoded = dialect.texts_of(found[column].combine_chunks()).dictionary_encode()
    return tuple(encoded.dictionary.to_pylist()), places_of(encoded)


def _doubles(found: pa.Table, column: str) -> FloatArray:
    """A column of doubles, null as NaN."""
    values = found[column].combine_chunks()
    out = np.array(np.from_dlpack(values.fill_null(float("nan")) if values.null_count else values), np.float64)
    return out if len(values) else np.zeros(0)
