"""Who was seen when and where: four columns, texts as places in lists of distinct ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import places_of
from sfumato.summary.fixes import Fixes
from sfumato.table.cells import centers_of

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
    if ask.latitude is not None and ask.longitude is not None:
        place = f"{dialect.cell(ask.latitude).number} AS a, {dialect.cell(ask.longitude).number} AS o"
    else:
        place = f"{dialect.value(ask.cell or '')} AS c"
    found = dialect.run(f"SELECT {texts}, {place} FROM {dialect.relation} t")
    persons, person = _listed(dialect, found, "p")
    times, time = _listed(dialect, found, "s")
    if "c" not in found.column_names:
        return Fixes(persons, person, times, time, _doubles(found, "a"), _doubles(found, "o"))
    cells, cell = _listed(dialect, found, "c")
    latitude, longitude = (np.append(one, np.nan)[cell] for one in centers_of(cells, ask.grid))
    return Fixes(persons, person, times, time, latitude, longitude)


def _listed(dialect: SqlDialect, found: pa.Table, column: str) -> tuple[tuple[str, ...], IntArray]:
    """Distinct texts, and the place of each row's in them."""
    encoded = dialect.texts_of(found[column].combine_chunks()).dictionary_encode()
    return tuple(encoded.dictionary.to_pylist()), places_of(encoded)


def _doubles(found: pa.Table, column: str) -> FloatArray:
    """A column of doubles, null as NaN."""
    values = found[column].combine_chunks()
    out = np.array(np.from_dlpack(values.fill_null(float("nan")) if values.null_count else values), np.float64)
    return out if len(values) else np.zeros(0)
