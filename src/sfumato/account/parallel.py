"""What do answers on disjoint parts of a table cost one person together? The worst part, not the sum."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol, TypeAlias

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sfumato.account.budget import Cost
    from sfumato.table.unit import Neighbors


class Parts(Protocol):
    """The parts of a table that an answer reads: rows whose `column` holds one of `keys`.

    All rows of a person must lie in one part: true by nature where a row is a person.
    """

    @property
    def column(self) -> str:
        """The public rule that puts each person into one part."""
        ...

    @property
    def keys(self) -> Collection[str]:
        """The parts that are read, at least one."""
        ...


Charge: TypeAlias = "tuple[Cost, Parts | None]"
"""A cost, and which parts it reads; None: the whole table."""


def total_cost(charges: Iterable[Charge], neighbors: Neighbors) -> Cost:
    """What all charges cost any one person together, number by number.

    ADD_REMOVE: a person lies in one part, so of each column only the charges that read that part count: the largest sum
    over parts. REPLACE: a person may leave one part for another, so the charges that read either count, each
    once: the largest sum over pairs of parts. It is at most the sum of the two largest parts, and less where one
    answer reads both. Charges without scope, and different columns, add up.

    Proof: fix two neighboring tables. An answer that reads none of the parts in which they differ has the same law on
    both, so its loss is 0; the others lose at most what they were charged. Scopes are public and fixed before each
    answer, so the charges of a given part are an adaptive sequence of their own, whose sum never exceeds what is
    returned here: a filter on the total is a filter on every part.

    Args:
        charges: costs of one measure, at least one.
        neighbors: whom the costs protect; the cost of each charge was computed for these neighbors.

    Returns:
        The total.

    Raises:
        ParameterError: no charges, or costs of different lengths. Remedy: give the costs of one budget.

    Source:
        F. McSherry, "Privacy Integrated Queries", SIGMOD 2009, theorem 4 (parallel composition).

    Example:
        >>> from sfumato.account.ledger.scope import Scope
        >>> from sfumato.table.unit import Neighbors
        >>> charges = [((Fraction(n),), Scope("county", (key,))) for n, key in [(1, "a"), (2, "b"), (3, "c")]]
        >>> total_cost(charges, Neighbors.ADD_REMOVE), total_cost(charges, Neighbors.REPLACE)
        ((Fraction(3, 1),), (Fraction(5, 1),))
    """
    listed = list(charges)
    if len({len(cost) for cost, _ in listed}) != 1:
        raise ParameterError("Costs add up only within one measure.", "give at least one cost, all of one budget.")
    return tuple(_total([(cost[i], scope) for cost, scope in listed], neighbors) for i in range(len(listed[0][0])))


def _total(charges: Sequence[tuple[Fraction, Parts | None]], neighbors: Neighbors) -> Fraction:
    """The total of one number."""
    total = sum((number for number, scope in charges if scope is None), start=Fraction(0))
    columns: dict[str, list[tuple[Fraction, Parts]]] = defaultdict(list)
    for number, scope in charges:
        if scope is not None:
            columns[scope.column].append((number, scope))
    for part in columns.values():
        total += _worst(part, is_pair=neighbors.sides == 2)
    return total


def _worst(charges: Sequence[tuple[Fraction, Parts]], *, is_pair: bool) -> Fraction:
    """The largest sum over the charges that read one part, or that read either of two.

    Pairs are tried from the two costliest parts down, until no later pair can be larger.
    """
    readers: dict[str, set[int]] = defaultdict(set)
    for i, (_, scope) in enumerate(charges):
        for key in scope.keys:
            readers[key].add(i)

    def cost(who: Iterable[int]) -> Fraction:
        return sum((charges[i][0] for i in who), start=Fraction(0))

    kinds = sorted(((cost(who), who) for who in {frozenset(r) for r in readers.values()}), key=lambda k: -k[0])
    best = kinds[0][0]
    for i, (first, who) in enumerate(kinds if is_pair else ()):
        for second, other in kinds[i + 1 :]:
            if first + second <= best:
                break
            best = max(best, cost(who | other))
    return best
