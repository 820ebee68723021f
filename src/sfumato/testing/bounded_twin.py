"""Bounded totals, the slow, obvious way: row by row and person by person in plain Python.

A table is a list of dicts from column name to cell. Grid places are exact here; engines are compared to it.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from sfumato.frozen import dataclass
from sfumato.summary.bounded import Comparison
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from sfumato.summary.bounded import BoundedAsk, Condition, Term

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Cell]
Group: TypeAlias = tuple[int | str, ...]
Number: TypeAlias = Fraction | float
"""A fraction, or an infinity."""

_NUMERAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_INFINITY = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Kept:
    """A row that counts: whose it is, in which group, and its cells."""

    person: Hashable
    group: Group
    row: Row


def text_of(cell: Cell, missing: Sequence[str] = ()) -> str | None:
    """Canonical text; None where missing. A whole float has the text of the whole number.

    Example:
        >>> text_of(5.0), text_of(float("nan")), text_of(True), text_of("01000"), text_of("?", ["?"])
        ('5', None, 'true', '01000', None)
    """
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return None
    text = str(cell).lower() if isinstance(cell, bool) else str(cell)
    if isinstance(cell, float) and cell.is_integer():
        text = str(int(cell))
    return None if text in missing else text


def number_of(cell: Cell, missing: Sequence[str] = ()) -> Number | None:
    """The number a cell stands for; None where it stands for none.

    Example:
        >>> number_of(" 1,50 "), number_of("NaN"), number_of("-inf"), number_of("twelve"), number_of("1e400") == 10**400
        (Fraction(3, 2), None, -inf, None, True)
    """
    text = text_of(cell, missing)
    if text is None:
        return None
    text = text.strip(" ").replace(",", ".")
    if _INFINITY.fullmatch(text):
        return -math.inf if text.startswith("-") else math.inf
    return Fraction(text) if _NUMERAL.fullmatch(text) else None


def place_of(number: Number | None, domain: Range) -> int | None:
    """The nearest grid place, half way upwards, clamped."""
    if number is None:
        return None
    if isinstance(number, float):
        return 0 if number < 0 else domain.size - 1
    steps = (Fraction(number) - domain.low) / domain.step
    return min(max(math.floor(steps + Fraction(1, 2)), 0), domain.size - 1)


def slow_totals(table: Sequence[Row], ask: BoundedAsk, missing: Sequence[str] = ()) -> dict[Group, list[int]]:
    """Total of each term by group; all declared groups, or those that rows are in."""
    ranges = dict(ask.ranges)
    out: dict[Group, list[int]] = {group: [0] * len(ask.terms) for group in _declared_groups(ask)}
    for kept in slow_kept(table, ask, missing):
        total = out.setdefault(kept.group, [0] * len(ask.terms))
        for i, term in enumerate(ask.terms):
            total[i] += _value(term, kept.row, ranges, missing)
    return {group: [min(max(x, -(2**62)), 2**62) for x in total] for group, total in out.items()}


def slow_persons(table: Sequence[Row], ask: BoundedAsk, missing: Sequence[str] = ()) -> dict[Group, int]:
    """Persons in each group."""
    found = {(kept.group, kept.person) for kept in slow_kept(table, ask, missing)}
    return {group: sum(1 for g, _ in found if g == group) for group, _ in found}


def slow_kept(table: Sequence[Row], ask: BoundedAsk, missing: Sequence[str] = ()) -> list[Kept]:
    """The rows that count after bounding, in table order within a person and group."""
    by_person: dict[Hashable, dict[Group, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for position, private in enumerate(table):
        row = _joined(private, ask, missing)
        if row is None:
            continue
        person: Hashable = position if ask.unit.person is None else text_of(row[ask.unit.person], missing)
        group = _group(row, ask, missing)
        if person is None or not str(person).strip() or group is None or not _meets(row, ask, missing):
            continue
        by_person[person][group].append(row)
    most = 1 if ask.distinct else ask.unit.rows
    kept = []
    for who, groups in by_person.items():
        chosen = sorted(groups, key=lambda group: _digest(str(who), _code(group, ask)))
        kept += [Kept(who, group, row) for group in chosen[: ask.unit.keys] for row in groups[group][:most]]
    return kept


def _digest(person: str, code: Sequence[str]) -> int:
    """The order in which the groups of a person are chosen."""
    said = chr(31).join([person, *code])
    return int.from_bytes(hashlib.md5(said.encode(), usedforsecurity=False).digest()[8:], "little")


def _code(group: Group, ask: BoundedAsk) -> list[str]:
    """The group as the engine names it: its number among declared groups, or its texts."""
    declared = _declared_groups(ask)
    return [str(declared.index(group))] if declared else [str(part) for part in group]


def _declared_groups(ask: BoundedAsk) -> list[Group]:
    """The product of the declared domains, the last running fastest; empty where keys are read."""
    parts = []
    for keyed in ask.by:
        if isinstance(keyed.domain, Categories):
            parts.append(range(keyed.domain.size))
        elif keyed.edges is not None:
            parts.append(range(len(keyed.edges) - 1))
        else:
            return []
    return list(product(*parts))


def _joined(row: Row, ask: BoundedAsk, missing: Sequence[str]) -> Row | None:
    """The row with the columns of its public row; without one missing ones, or no row if the join is inner."""
    if ask.join is None:
        return row
    on = ask.join.columns.index(ask.join.on)
    partner = next((public for public in ask.join.table if public[on] == text_of(row[ask.join.on], missing)), None)
    if partner is None and ask.join.is_inner:
        return None
    return {name: None if partner is None else partner[j] for j, name in enumerate(ask.join.columns)} | row


def _codes(ask: BoundedAsk, column: str, missing: Sequence[str]) -> Sequence[str]:
    """The texts that mean "missing" in a column: none in a public one, whose cells are what they say."""
    is_public = ask.join is not None and column in ask.join.columns and column != ask.join.on
    return () if is_public else missing


def _group(row: Row, ask: BoundedAsk, codes: Sequence[str]) -> Group | None:
    """The row's group; None where it is in none."""
    group: list[int | str] = []
    for keyed in ask.by:
        missing = _codes(ask, keyed.column, codes)
        if isinstance(keyed.domain, Range) and keyed.edges is not None:
            place = place_of(number_of(row[keyed.column], missing), keyed.domain)
            part: int | str | None = (
                None if place is None else max(i for i, edge in enumerate(keyed.edges) if edge <= place)
            )
        else:
            text = text_of(row[keyed.column], missing)
            part = text if not isinstance(keyed.domain, Categories) else _index(keyed.domain, text)
        if part is None:
            return None
        group.append(part)
    return tuple(group)


def _index(domain: Categories, text: str | None) -> int | None:
    return domain.values.index(text) if text in domain.values else None


def _meets(row: Row, ask: BoundedAsk, codes: Sequence[str]) -> bool:
    """Whether all conditions hold and nothing that must be there is missing."""
    ranges, categories = dict(ask.ranges), dict(ask.categories)

    def known(column: str) -> Number | str | None:
        missing = _codes(ask, column, codes)
        if column in ranges:
            return number_of(row[column], missing)
        text = text_of(row[column], missing)
        return None if column in categories and text not in categories[column].values else text

    return all(known(column) is not None for column in ask.complete) and all(
        _compare(known(condition.column), condition, Fraction if condition.column in ranges else str)
        for condition in ask.where
    )


def _compare(left: Number | str | None, condition: Condition, read: Callable[[str], Fraction | str]) -> bool:
    """One condition; what is missing meets none."""
    if left is None:
        return False
    values: list[object] = [read(value) for value in condition.values]
    tests: dict[Comparison, Callable[[], bool]] = {
        Comparison.EQUAL: lambda: left == values[0],
        Comparison.NOT_EQUAL: lambda: left != values[0],
        Comparison.LESS: lambda: left < values[0],  # type: ignore[operator]
        Comparison.AT_MOST: lambda: left <= values[0],  # type: ignore[operator]
        Comparison.MORE: lambda: left > values[0],  # type: ignore[operator]
        Comparison.AT_LEAST: lambda: left >= values[0],  # type: ignore[operator]
        Comparison.IN: lambda: left in values,
        Comparison.NOT_IN: lambda: left not in values,
    }
    return tests[condition.comparison]()


def _value(term: Term, row: Row, ranges: dict[str, Range], missing: Sequence[str]) -> int:
    value = 1
    for column, center in term.factors:
        place = place_of(number_of(row[column], missing), ranges[column])
        if place is None:
            return 0
        value *= place - center
    return value
