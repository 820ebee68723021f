"""What persons add to groups: visits to cells, trips between them, minutes in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """One entry for each thing that a person did, in the order in which it was done. Private until noise was added.

    Args:
        person: (n,) int64 codes of persons.
        group: (n,) int64 places of declared groups, in [0, groups).
        amount: (n,) int64 from 0 to 2³¹ - 1, what is added to the group.
        groups: number of declared groups, >= 1.

    Raises:
        ParameterError: arrays that do not fit these words.

    Example:
        >>> Contributions(np.array([0, 0]), np.array([1, 1]), np.array([3, 4]), groups=2).totals().tolist()
        [0, 7]
    """

    person: IntArray
    group: IntArray
    amount: IntArray
    groups: int

    def __post_init__(self) -> None:
        sizes = {len(self.person), len(self.group), len(self.amount)}
        inside = not len(self.group) or (self.group.min() >= 0 and self.group.max() < self.groups)
        fits = not len(self.amount) or (self.amount.min() >= 0 and self.amount.max() < 2**31)
        if len(sizes) != 1 or not inside or not fits:
            raise ParameterError(
                "Contributions need a person, a declared group and an amount of 0 to 2^31 - 1 each.",
                "leave out what lies in no declared group, and cut amounts.",
            )

    def __len__(self) -> int:
        return len(self.person)

    def totals(self) -> IntArray:
        """(groups,) int64 sums of amounts, exact for fewer than 2³¹ entries."""
        out = np.zeros(self.groups, np.int64)
        np.add.at(out, self.group, self.amount)
        return out

    def at(self, which: IntArray) -> Contributions:
        """Some of the entries, in the order in which they are named."""
        return Contributions(self.person[which], self.group[which], self.amount[which], self.groups)

    def once(self) -> Contributions:
        """The first entry of each person in each group."""
        order = np.lexsort((self.group, self.person))
        begins = np.ones(len(order), bool)
        begins[1:] = (np.diff(self.person[order]) != 0) | (np.diff(self.group[order]) != 0)
        return self.at(np.sort(order[begins]))

    def within(self, groups: IntArray) -> Contributions:
        """Only what is in some groups, which are numbered anew in the order given.

        Args:
            groups: (m,) int64, all different, at least one.

        Example:
            >>> one = Contributions(np.array([0, 0]), np.array([5, 9]), np.array([1, 2]), groups=10)
            >>> one.within(np.array([9, 3])).totals().tolist()
            [2, 0]
        """
        order = np.argsort(groups, kind="stable")
        at = np.searchsorted(groups[order], self.group).clip(max=len(groups) - 1)
        kept = np.flatnonzero(groups[order][at] == self.group)
        return Contributions(self.person[kept], order[at[kept]], self.amount[kept], len(groups))
