"""What do answers on disjoint parts of a table cost one person together? The worst part, not the sum."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Protocol, TypeAlias

from sfumato.account.rounding import kept, kept_down
from sfumato.errors import ParameterError

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


_WIDE = 100
"""Under REPLACE a charge that reads more parts is counted as reading all: its pairs would be too many to keep."""


@dataclass(slots=True)
class PartSums:
    """Running sums of one number: what the charges that read parts of one column cost any one person together.

    ADD_REMOVE (`sides` 1): a person lies in one part, so only the charges that read it count: the largest sum over
    parts. REPLACE (2): a person may leave one part for another, so the charges that read either count, each once: the
    largest, over pairs of parts, of both sums less what read both. One more charge raises only parts and pairs that
    it reads, so it takes steps by its own keys (and, for pairs, by the keys that were read together with them), however
    many charges were before.

    Args:
        sides: in how many parts two neighboring tables may differ, 1 or 2.
        everywhere: of the charges that are counted as reading all parts.
        parts: of the charges that read each part.
        both: of the charges that read both of two parts, rounded down; the lesser name first.
        order: the parts by their sums, ascending; for pairs only.
        worst: what a person may lose.
    """

    sides: int
    everywhere: Fraction = Fraction(0)
    parts: dict[str, Fraction] = field(default_factory=dict)
    both: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    order: list[tuple[Fraction, str]] = field(default_factory=list)
    worst: Fraction = Fraction(0)

    def after(self, keys: Collection[str], number: Fraction) -> Fraction:
        """What a person may lose with one more charge; nothing is changed."""
        if self._is_wide(keys):
            return kept(self.worst + number)
        sums = {key: kept(self.parts.get(key, Fraction(0)) + number) for key in keys}
        part = max(sums.values()) if self.sides == 1 else self._worst_pair(sums, number)
        return max(self.worst, kept(self.everywhere + part))

    def add(self, keys: Collection[str], number: Fraction) -> None:
        """Count one more charge."""
        self.worst = self.after(keys, number)
        if self._is_wide(keys):
            self.everywhere = kept(self.everywhere + number)
            return
        for key in keys:
            before = self.parts.get(key)
            self.parts[key] = kept((before or Fraction(0)) + number)
            if self.sides == 2:
                self._move(key, before)
        if self.sides == 2:
            for pair in combinations(sorted(keys), 2):
                self.both[pair] = kept_down(self.both.get(pair, Fraction(0)) + number)

    def _is_wide(self, keys: Collection[str]) -> bool:
        """Whether a charge is counted as reading all parts."""
        return self.sides == 2 and len(keys) > _WIDE

    def _move(self, key: str, before: Fraction | None) -> None:
        """Put a part where its sum belongs."""
        if before is not None:
            del self.order[bisect_left(self.order, (before, key))]
        insort(self.order, (self.parts[key], key))

    def _worst_pair(self, sums: dict[str, Fraction], number: Fraction) -> Fraction:
        """The largest sum over the pairs with a part that a charge reads, once it is counted.

        Args:
            sums: of the parts that it reads, with it.
            number: its cost.
        """
        best = max(sums.values())
        for a, b in combinations(sorted(sums), 2):
            best = max(best, sums[a] + sums[b] - self.both.get((a, b), Fraction(0)) - number)
        for a, first in sums.items():
            for second, b in reversed(self.order):
                if first + second <= best:
                    break
                if b not in sums:
                    best = max(best, first + second - self.both.get((min(a, b), max(a, b)), Fraction(0)))
        return best


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
        >>> from sfumato.account.ledger.scope import Scope
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
    """The total of one number."""
    whole, columns = Fraction(0), dict[str, PartSums]()
    for number, scope in charges:
        if scope is None:
            whole = kept(whole + number)
        else:
            columns.setdefault(scope.column, PartSums(sides)).add(scope.keys, number)
    return kept(whole + sum((column.worst for column in columns.values()), start=Fraction(0)))
