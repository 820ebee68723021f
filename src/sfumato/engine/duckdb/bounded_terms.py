"""How is a term added up without ever overflowing? SQL for partial sums, their merge, and the saturated total.

A sum of BIGINT values is a HUGEINT, which no number of rows can fill. Products that need more than 63 bits are
cut as value = high · 2⁴⁰ + low; both parts are summed on their own. At the end

    total = clamp(clamp(high, ±2⁸⁰) · 2⁴⁰ + low, ±2⁶²).

|low| <= n · 2⁴⁰ is far below 2¹²⁰ for any number n of rows that fits on a disk, so clamping `high` first never
changes the result, and nothing here can exceed a HUGEINT. Clamping is 1-Lipschitz: a saturated total moves at
most as far as the exact one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.summary.bounded import Term
    from sfumato.table.domain import Range

SATURATION = 2**62
"""Totals are clamped to ± this."""
_CUT = 2**40
_HIGH = 2**80


def partial(terms: tuple[Term, ...], names: Mapping[str, str], ranges: Mapping[str, Range], most: int | None) -> str:
    """SQL that adds up each term over the rows of a group, as columns t0, t1 … (and t0l … for wide products).

    Args:
        terms: what is added up.
        names: SQL name of each column's place.
        ranges: the declared ranges.
        most: at most so many rows are counted in a count; None: all.
    """
    parts = []
    for i, term in enumerate(terms):
        factors = [f"({names[column]} - ({center}))" for column, center in term.factors]
        product = " * ".join(factors)
        if not factors:
            parts.append(f"{'count(*)' if most is None else f'least(count(*), {most})'} AS t{i}")
        elif is_wide(term, ranges):
            wide = " * ".join(f"CAST({factor} AS HUGEINT)" for factor in factors)
            parts.append(f"sum(({wide}) // {_CUT}) AS t{i}")
            parts.append(f"sum(CAST(({wide}) % {_CUT} AS BIGINT)) AS t{i}l")
        else:
            parts.append(f"sum({product}) AS t{i}")
    return "".join(f", {part}" for part in parts)


def merged(terms: tuple[Term, ...], ranges: Mapping[str, Range]) -> str:
    """SQL that adds up partial sums under the same names."""
    names = [f"t{i}{end}" for i, term in enumerate(terms) for end in (("", "l") if is_wide(term, ranges) else ("",))]
    return "".join(f", sum({name}) AS {name}" for name in names)


def saturated(terms: tuple[Term, ...], ranges: Mapping[str, Range]) -> str:
    """SQL for the total of each term from its merged sums: BIGINT, clamped at ±2⁶², 0 where no row counts."""
    totals = []
    for i, term in enumerate(terms):
        total = f"coalesce(t{i}, 0)"
        if is_wide(term, ranges):
            total = f"{_clamped(total, _HIGH)} * {_CUT} + coalesce(t{i}l, 0)"
        totals.append(f", CAST({_clamped(total, SATURATION)} AS BIGINT) AS t{i}")
    return "".join(totals)


def is_wide(term: Term, ranges: Mapping[str, Range]) -> bool:
    """Whether a row's value may need more than 63 bits, by the declared ranges alone.

    Example:
        >>> from sfumato.summary.bounded import Term
        >>> from sfumato.table.domain import Range
        >>> is_wide(Term((("x", 0), ("x", 0))), {"x": Range(0, 2**40, 1)})
        True
    """
    largest = 1
    for column, center in term.factors:
        largest *= max(abs(center), abs(ranges[column].size - 1 - center))
    return largest >= 2**63


def _clamped(sql: str, most: int) -> str:
    """A HUGEINT within ±most; never NULL."""
    return f"greatest(least(CAST({sql} AS HUGEINT), {most}), -{most})"
