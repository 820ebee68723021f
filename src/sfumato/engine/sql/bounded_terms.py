"""Terms added up without ever overflowing: SQL for partial sums and their merge, and the saturated total.

A row's value is written in whole digits of 20 bits, value = Σ digit_j · 2^(20·j), the highest one with the sign, and
each digit is summed on its own as a BIGINT: no table has the 2⁴³ rows that such a sum can hold. A product that needs
more than 63 bits is first cut at 27 bits of each factor, a·b = a₁b₁·2⁵⁴ + (a₁b₀ + a₀b₁)·2²⁷ + a₀b₀. At the end the
digits' sums, by then one row for each group, are put together in whole numbers of any size:

    total = clamp(Σ sum_j · 2^shift_j, ±2⁶²).

Clamping is 1-Lipschitz: a saturated total moves at most as far as the exact one.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.summary.bounded import Term
    from sfumato.table.domain import Range
    from sfumato.types import IntArray

SATURATION = 2**62
"""Totals are clamped to ± this."""
_DIGIT = 20
_HALF = 27
"""Centered places have at most 2 · 27 bits."""


@dataclass(frozen=True, slots=True)
class Digit:
    """One digit of a term: its place in bits, and what is added up; None: the rows."""

    name: str
    shift: int
    sql: str | None


def digits(
    dialect: SqlDialect, term: Term, i: int, names: Mapping[str, str], ranges: Mapping[str, Range]
) -> list[Digit]:
    """The digits of the i-th term; their names are t{i}_0, t{i}_1, and so on.

    Args:
        dialect: whose SQL it is.
        term: what is added up.
        i: its number.
        names: SQL name of each column's place.
        ranges: the declared ranges.
    """
    if not term.factors:
        return [Digit(f"t{i}_0", 0, None)]
    factors = [f"({names[column]} - ({center}))" for column, center in term.factors]
    most = prod(_largest(center, ranges[column]) for column, center in term.factors)
    found = _cut(dialect, *factors) if most >= 2**63 else [(" * ".join(factors), 0, most)]
    cut = [(digit, shift + at) for sql, at, top in found for digit, shift in _digits(dialect, sql, top)]
    return [Digit(f"t{i}_{j}", shift, sql) for j, (sql, shift) in enumerate(cut)]


def partial(digits: Sequence[Sequence[Digit]], most: int | None) -> str:
    """SQL that adds up each digit over the rows of a group.

    Args:
        digits: of each term.
        most: at most so many rows are counted in a count; None: all.
    """
    rows = "count(*)" if most is None else f"least(count(*), {most})"
    sums = {
        one.name: rows if one.sql is None else f"CAST(coalesce(sum({one.sql}), 0) AS BIGINT)"
        for term in digits
        for one in term
    }
    return "".join(f", {sql} AS {name}" for name, sql in sums.items())


def merged(digits: Sequence[Sequence[Digit]]) -> str:
    """SQL that adds up partial sums under the same names."""
    return "".join(f", CAST(coalesce(sum({d.name}), 0) AS BIGINT) AS {d.name}" for term in digits for d in term)


def saturated(sums_of: Callable[[str], IntArray], digits: Sequence[Sequence[Digit]], size: int) -> IntArray:
    """(n_terms, size) int64: the total of each term in each group.

    Args:
        sums_of: (size,) int64 sums of the digit of a name, none of them larger than a digit of 2⁴³ rows.
        digits: of each term.
        size: groups.
    """
    out = np.zeros((len(digits), size), np.int64)
    for i, term in enumerate(digits):
        sums = [sums_of(digit.name) for digit in term]
        if len(sums) > 1:
            whole = sum(s.astype(object) * 2**digit.shift for s, digit in zip(sums, term, strict=True))
            sums = [np.clip(whole, -SATURATION, SATURATION)]
        out[i] = np.clip(sums[0].astype(np.int64, copy=False), -SATURATION, SATURATION)
    return out


def _largest(center: int, domain: Range) -> int:
    """Largest absolute value of a centered place, by the declared range alone."""
    return max(abs(center), abs(domain.size - 1 - center))


def _cut(dialect: SqlDialect, a: str, b: str) -> list[tuple[str, int, int]]:
    """A wide product as three numbers of less than 63 bits: SQL, shift, largest absolute value."""
    (a1, a0), (b1, b0) = ((dialect.shifted(f, _HALF), f"({f} & {2**_HALF - 1})") for f in (a, b))
    most = 2 ** (2 * _HALF)
    return [
        (f"{a1} * {b1}", 2 * _HALF, most),
        (f"{a1} * {b0} + {a0} * {b1}", _HALF, 2 * most),
        (f"{a0} * {b0}", 0, most),
    ]


def _digits(dialect: SqlDialect, value: str, most: int) -> Iterator[tuple[str, int]]:
    """The digits of a BIGINT and their places in bits; the highest one has the sign."""
    shift = 0
    while most >> shift > 2**_DIGIT:
        low = dialect.shifted(f"({value})", shift) if shift else f"({value})"
        yield f"({low} & {2**_DIGIT - 1})", shift
        shift += _DIGIT
    yield dialect.shifted(f"({value})", shift) if shift else value, shift
