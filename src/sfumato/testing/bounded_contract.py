"""What every engine must do for central privacy: totals by definition, and no more than one person's share.

The second duty is checked by brute force: every person of a table is taken out in turn.
"""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import TYPE_CHECKING, Any

from sfumato.summary.bounded import Places
from sfumato.testing.bounded_cases import MISSING, as_source
from sfumato.testing.bounded_twin import number_of, place_of, slow_kept, slow_persons, slow_totals, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.engine.base import Engine
    from sfumato.summary.bounded import BoundedAsk, BoundedTotals, Term
    from sfumato.testing.bounded_twin import Row

Totals = dict[Any, list[int]]


def totals_of(engine: Engine[Any], rows: Sequence[Row], asks: Sequence[BoundedAsk]) -> list[Totals]:
    """For each ask the engine's totals by key, or by number of the group where groups are declared."""
    table, out = engine.scan(as_source(rows)), []
    for ask in asks:
        found = engine.summarize(table, ask)
        keys: Sequence[Any] = range(found.totals.shape[1]) if found.keys is None else found.keys
        out.append(dict(zip(keys, found.totals.T.tolist(), strict=True)))
    return out


def adds_up_the_bounded_rows(engine: Engine[Any], rows: Sequence[Row], asks: Sequence[BoundedAsk]) -> None:
    """A `BoundedAsk` is answered by what the definition adds up: every declared group in order, or the keys that rows have."""
    table = engine.scan(as_source(rows))
    for ask in asks:
        _same(engine.summarize(table, ask), rows, ask)


def _same(found: BoundedTotals, rows: Sequence[Row], ask: BoundedAsk) -> None:
    """One ask against its definition."""
    slow = slow_totals(rows, ask, MISSING)
    if found.keys is None:
        assert found.totals.T.tolist() == list(slow.values())  # noqa: S101
        assert found.persons is None  # noqa: S101
        return
    named = {_named(group, ask): total for group, total in slow.items()}
    persons = {_named(group, ask): n for group, n in slow_persons(rows, ask, MISSING).items()}
    assert list(found.keys) == sorted(named)  # noqa: S101
    assert dict(zip(found.keys, found.totals.T.tolist(), strict=True)) == named  # noqa: S101
    assert found.persons is not None  # noqa: S101
    assert dict(zip(found.keys, found.persons.tolist(), strict=True)) == persons  # noqa: S101


def reads_the_bounded_places(engine: Engine[Any], rows: Sequence[Row], ask: BoundedAsk, column: str) -> None:
    """`Places` are the multiset of the definition; rows without a number there are left out before bounding."""
    there = [row for row in rows if number_of(row[column], MISSING) is not None]
    found = engine.summarize(engine.scan(as_source(rows)), Places(ask, column))
    domain = dict(ask.ranges)[column]
    slow = [place_of(number_of(kept.row[column], MISSING), domain) for kept in slow_kept(there, ask, MISSING)]
    assert Counter(found.places.tolist()) == Counter(slow)  # noqa: S101
    assert found.size == domain.size  # noqa: S101


def moves_no_further_than_claimed(
    totals: Callable[[Sequence[Row], Sequence[BoundedAsk]], list[Totals]],
    rows: Sequence[Row],
    asks: Sequence[BoundedAsk],
) -> None:
    """Without any one person at most `keys` groups change, and no term by more than `rows` times its largest value.

    Args:
        totals: what makes totals of rows, such as `totals_of` of an engine.
        rows: the table.
        asks: of one unit.
    """
    whole = totals(rows, asks)
    for others in without_one(rows, asks[0]):
        for ask, before, after in zip(asks, whole, totals(others, asks), strict=True):
            _is_near(before, after, ask)


def _is_near(before: Totals, after: Totals, ask: BoundedAsk) -> None:
    """The difference of two neighboring tables lies within the claim."""
    most = 1 if ask.distinct else ask.unit.rows
    bounds = [most * largest(term, ask) for term in ask.terms]
    nothing = [0] * len(ask.terms)
    moved = [
        [abs(a - b) for a, b in zip(before.get(key, nothing), after.get(key, nothing), strict=True)]
        for key in before | after
    ]
    assert sum(any(by) for by in moved) <= ask.unit.keys  # noqa: S101
    assert all(d <= bound for by in moved for d, bound in zip(by, bounds, strict=True))  # noqa: S101


def without_one(rows: Sequence[Row], ask: BoundedAsk) -> Iterator[list[Row]]:
    """The table without each person in turn."""
    who = [i if ask.unit.person is None else text_of(row[ask.unit.person], MISSING) for i, row in enumerate(rows)]
    for person in dict.fromkeys(who):
        yield [row for row, of in zip(rows, who, strict=True) if of != person]


def largest(term: Term, ask: BoundedAsk) -> int:
    """Largest absolute value that one row can have in a term."""
    ranges = dict(ask.ranges)
    return prod(max(abs(center), abs(ranges[column].size - 1 - center)) for column, center in term.factors)


def _named(group: tuple[int | str, ...], ask: BoundedAsk) -> tuple[str, ...]:
    """The group as the engine names it where keys are read: categories by text, bins by number."""
    named = []
    for part, keyed in zip(group, ask.by, strict=True):
        values = getattr(keyed.domain, "values", None)
        named.append(values[part] if values is not None and isinstance(part, int) else str(part))
    return tuple(named)
