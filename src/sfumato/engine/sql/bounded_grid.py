"""The place of a number on a declared grid, and its bin: SQL that every engine reads alike.

No expression can fail, whatever the number is: what cannot be placed is NULL.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.engine.sql.dialect import double

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.table.domain import Range

_MOST_HALVED = 32
"""More bins than this are planned by expression more slowly than they are joined."""


def place(number: str, domain: Range) -> str:
    """SQL for the grid place of a number: BIGINT in [0, size), half way upwards; NULL for NULL.

    place = ⌊(number - low) / step + 1/2⌋ in double precision, clamped. A number within a rounding error of the
    middle between two grid points may go to either of them, and always goes to the same one; so the place is a
    function of the cell, which is all that a sensitivity needs.

    Args:
        number: SQL, a DOUBLE or NULL.
        domain: the declared range.
    """
    low, high, step = (double(float(bound)) for bound in (domain.low, domain.high, domain.step))
    first, last = "CAST(0 AS BIGINT)", f"CAST({domain.size - 1} AS BIGINT)"
    nearest = f"least(CAST(floor(({number} - {low}) / {step} + {double(0.5)}) AS BIGINT), {last})"
    return (
        f"CASE WHEN {number} IS NULL THEN NULL WHEN {number} <= {low} THEN {first} "
        f"WHEN {number} >= {high} THEN {last} ELSE {nearest} END"
    )


def bin_of(place: str, edges: Sequence[int], divided: Callable[[str, int], str]) -> str | None:
    """SQL for the bin of a place: i where edges[i] <= place < edges[i+1]; NULL for NULL.

    Bins of one width (the last may be narrower) are divided; a few others are found by halving. None where there
    are too many of them for an expression: they belong into a table.

    Args:
        place: SQL, a BIGINT >= 0 or NULL.
        edges: increasing, from 0.
        divided: how an engine writes a whole division.

    Example:
        >>> print(bin_of("x", (0, 10, 20, 25), "{} // {}".format))
        x // 10
        >>> print(bin_of("x", (0, 1, 5), "{} // {}".format))
        CASE WHEN x IS NULL THEN NULL ELSE CASE WHEN x < 1 THEN 0 ELSE 1 END END
    """
    width = edges[1] - edges[0]
    if all(high - low == width for low, high in pairwise(edges[:-1])) and edges[-1] - edges[-2] <= width:
        return divided(place, width)
    if len(edges) - 1 > _MOST_HALVED:
        return None
    return f"CASE WHEN {place} IS NULL THEN NULL ELSE {_halved(place, edges, 0, len(edges) - 1)} END"


def _halved(place: str, edges: Sequence[int], first: int, stop: int) -> str:
    """Bins first … stop - 1 as a balanced tree of comparisons."""
    if stop - first == 1:
        return str(first)
    middle = (first + stop) // 2
    left, right = _halved(place, edges, first, middle), _halved(place, edges, middle, stop)
    return f"CASE WHEN {place} < {edges[middle]} THEN {left} ELSE {right} END"
