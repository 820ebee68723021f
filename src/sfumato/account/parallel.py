"""Parallel composition: answers on disjoint parts of a table cost one person the worst part, not the sum."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import field
from fractions import Fraction
from heapq import nlargest
from itertools import combinations
from typing import TYPE_CHECKING, Protocol, TypeAlias

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.enclosure import kept, kept_down

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sfumato.account.budget import Cost
    from sfumato.table.unit import Neighbors


class Parts(Protocol):
    """The parts of a table that an answer reads: rows whose `column` holds one of `keys`.

    All rows of a person must lie in one part: true by nature where a row is a person, in one version of the data.
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


_WIDE = 6
"""Charges that read more parts at once have no sums for pairs of parts, which would be too many to keep."""


@dataclass(slots=True)
class PartSums:
    """Running sums of one number: what the charges that read parts of one column cost any one person together.

    ADD_REMOVE (`sides` 1): a person lies in one part, so only the charges that read it count: the largest sum over
    parts. REPLACE (2): a person may leave one part for another, so the charges that read either count, each once. Two
    bounds hold, and the lesser is taken: the two largest sums of parts; and the largest, over pairs of parts, of
    both sums less what read both, where a charge that reads more than six parts counts as one that reads all. Without
    such charges the second is what the worst replacement costs.

    One more charge raises only the parts and pairs that it reads, so it takes steps by its own keys (and, for pairs,
    by the keys that were read together with them), however many charges were before.

    Args:
        sides: in how many parts two neighboring tables may differ, 1 or 2.
        parts: of the charges that read each part.
        largest: the `sides` parts with the largest sums.
        pairs: the second bound; None for one side.
        worst: what a person may lose.
    """

    sides: int
    parts: dict[str, Fraction] = field(default_factory=dict)
    largest: tuple[str, ...] = ()
    pairs: PairSums | None = None
    worst: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.sides == 2 and self.pairs is None:
            self.pairs = PairSums()

    def after(self, keys: Collection[str], number: Fraction) -> Fraction:
        """What a person may lose with one more charge; nothing is changed."""
        largest = self._largest(self._touched(keys, number))
        worst = kept(sum((value for _, value in largest), start=Fraction(0)))
        if self.pairs is not None:
            worst = min(worst, self.pairs.after(keys, number))
        return max(self.worst, worst)

    def add(self, keys: Collection[str], number: Fraction, worst: Fraction) -> None:
        """Count one more charge, of which `after` said what a person may lose."""
        touched = self._touched(keys, number)
        self.largest = tuple(key for key, _ in self._largest(touched))
        self.parts |= touched
        self.worst = worst
        if self.pairs is not None:
            self.pairs.add(keys, number)

    def _touched(self, keys: Collection[str], number: Fraction) -> dict[str, Fraction]:
        """Sums of the parts that a charge reads, with it."""
        return {key: kept(self.parts.get(key, Fraction(0)) + number) for key in keys}

    def _largest(self, touched: dict[str, Fraction]) -> list[tuple[str, Fraction]]:
        """The largest parts: all but the touched ones are as they were."""
        rivals = {key: self.parts[key] for key in self.largest} | touched
        return nlargest(self.sides, rivals.items(), key=lambda item: item[1])


@dataclass(slots=True)
class PairSums:
    """Running sums of pairs of parts, see `PartSums`.

    Args:
        everywhere: of the charges that count as reading all parts.
        parts: of the others that read each part.
        both: of the others that read both of two parts, rounded down; the lesser name first.
        order: the parts by their sums, ascending.
        worst: the largest sum of a pair.
    """

    everywhere: Fraction = Fraction(0)
    parts: dict[str, Fraction] = field(default_factory=dict)
    both: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    order: list[tuple[Fraction, str]] = field(default_factory=list)
    worst: Fraction = Fraction(0)

    def after(self, keys: Collection[str], number: Fraction) -> Fraction:
        """What reads either of the worst two parts, with one more charge; nothing is changed."""
        if len(keys) > _WIDE:
            return kept(self.everywhere + number + self.worst)
        return kept(self.everywhere + max(self.worst, self._worst_pair(keys, number)))

    def add(self, keys: Collection[str], number: Fraction) -> None:
        """Count one more charge."""
        if len(keys) > _WIDE:
            self.everywhere = kept(self.everywhere + number)
            return
        self.worst = max(self.worst, self._worst_pair(keys, number))
        for key in keys:
            before = self.parts.get(key, Fraction(0))
            if key in self.parts:
                del self.order[bisect_left(self.order, (before, key))]
            self.parts[key] = kept(before + number)
            insort(self.order, (self.parts[key], key))
        for pair in combinations(sorted(keys), 2):
            self.both[pair] = kept_down(self.both.get(pair, Fraction(0)) + number)

    def _worst_pair(self, keys: Collection[str], number: Fraction) -> Fraction:
        """The largest sum over the pairs with a part that a charge reads, once it is counted."""
        sums = {key: kept(self.parts.get(key, Fraction(0)) + number) for key in keys}
        best = max(sums.values())
        for a, b in combinations(sorted(sums), 2):
            best = max(best, sums[a] + sums[b] - self.both.get((a, b), Fraction(0)) - number)
        for a, first in sums.items():
            for second, b in reversed(self.order):
                if first + second <= best:
                    break
                if b not in sums:
                    best = max(best, first + second - self.both.get((min(a, b), max(a, b)), Fraction(0)))
        return kept(best)


def total_cost(charges: Iterable[Charge], neighbors: Neighbors) -> Cost:
    """What all charges cost any one person together, number by number; see `PartSums`.

    Charges without scope, and different columns, add up.

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
        >>> from sfumato.account.ledger.account import Scope
        >>> from sfumato.table.unit import Neighbors
        >>> charges = [((Fraction(n),), Scope("county", (key,))) for n, key in [(1, "a"), (2, "b"), (3, "c")]]
        >>> total_cost(charges, Neighbors.ADD_REMOVE), total_cost(charges, Neighbors.REPLACE)
        ((Fraction(3, 1),), (Fraction(5, 1),))
    """
    listed = list(charges)
    if len({len(cost) for cost, _ in listed}) != 1:
        raise ParameterError("Costs add up only within one measure.", "give at least one cost, all of one budget.")
    return tuple(_total(((cost[i], s) for cost, s in listed), neighbors.sides) for i in range(len(listed[0][0])))


def _total(charges: Iterable[tuple[Fraction, Parts | None]], sides: int) -> Fraction:
    whole, columns = Fraction(0), dict[str, PartSums]()
    for number, scope in charges:
        if scope is None:
            whole = kept(whole + number)
        else:
            sums = columns.setdefault(scope.column, PartSums(sides))
            sums.add(scope.keys, number, sums.after(scope.keys, number))
    return kept(whole + sum((column.worst for column in columns.values()), start=Fraction(0)))
