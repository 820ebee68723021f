"""Values exchanged between rows that are near in rank: exact marginals, bounded distance."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.perturb.column_method import ColumnDecision
from sfumato.noise.integers import uniform_integers
from sfumato.noise.permutation import permutation
from sfumato.recipe.steps import Deal, Splits
from sfumato.summary.blur import Pairs

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class RankSwapping:
    """Sort the cells, cut the ranks at a random place into runs of w + 1, and permute each run at random.

    w = ⌊share · cells⌋, so no value moves by more than `share` of the ranks; cells of equal value are in random
    order. The set of values, and so every statistic of this column alone, stays exactly as it was; what the
    column has to do with others is blurred.

    Args:
        share: largest distance in ranks, as a share of the cells, in (0, 1].

    Raises:
        ParameterError: a share outside that range.

    Source:
        R. Moore, "Controlled Data-Swapping Techniques for Masking Public Use Microdata Sets", U.S. Bureau of the
        Census, 1996. There each cell is exchanged with one partner; here a run is permuted as a whole, so that
        the law of a cell's new rank is known: all ranks of its run are equally likely.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> pay = bind(Column("pay", Role.SENSITIVE, Kind.INTEGER), ["10", "20", "30", None])
        >>> decision = RankSwapping(Fraction(1, 2)).decide(pay, np.array([2, 2, 2, 1]), bits=SystemBits())
        >>> np.bincount(decision.step.splits.member, weights=decision.step.splits.rows).tolist()
        [2.0, 2.0, 2.0, 1.0]
    """

    share: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ParameterError(
                "`share` of rank swapping must lie in (0, 1]; got {share:g}.",
                "choose such as 0.05.",
                share=float(self.share),
            )

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """Which row of each value gets which value.

        Raises:
            ParameterError: a column of text, or so few cells that none would move.
        """
        if attribute.positions is None:
            raise ParameterError(
                "Ranks need an order; {name!r} is text.", "declare its `kind`, or choose pram.", name=attribute.name
            )
        order = np.argsort(attribute.positions, kind="stable")
        known = order[np.isfinite(attribute.positions[order])]
        ranked = np.repeat(known, counts[known])
        width = int(self.share * len(ranked))
        if width < 1:
            raise ParameterError(
                "`share` of rank swapping must reach at least the next of the cells of {name!r}.",
                "choose a larger share.",
                name=attribute.name,
            )
        partner = ranked[permuted_runs(len(ranked), width + 1, bits=bits)]
        leaf, value = _shuffled_ties(ranked, partner, bits)
        pairs = Pairs(leaf, value, np.ones(len(leaf)), attribute.positions, attribute.positions,
                      kept=np.arange(len(counts)))  # fmt: skip
        return ColumnDecision(deal_of(attribute, counts, leaf, value), None, (), (), pairs)


def permuted_runs(n: int, length: int, *, bits: Bits) -> IntArray:
    """(n,) int64: a permutation of 0 … n-1 inside runs of `length`, the first cut uniform, each run uniform.

    Args:
        n: ranks.
        length: of a run, >= 1; the first and the last may be shorter.
        bits: source of chance.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> bool((np.abs(permuted_runs(9, 3, bits=SystemBits()) - np.arange(9)) < 3).all())
        True
    """
    first = int(uniform_integers(1, length, bits=bits)[0])
    run = (np.arange(n) + first) // length
    mixed = permutation(n, bits=bits)
    return np.asarray(mixed[np.argsort(run[mixed], kind="stable")], np.int64)


def deal_of(attribute: Attribute, counts: IntArray, leaf: IntArray, value: IntArray) -> Deal:
    """The step that gives row after row of each leaf its new value; missing cells stay missing.

    Args:
        attribute: the column.
        counts: (n_leaves,) int64.
        leaf: (n,) int64 leaf codes, equal ones beside each other.
        value: (n,) int64 leaf code whose text each cell gets.
    """
    labels = attribute.hierarchy.labels[0]
    gone = [code for code, label in enumerate(labels) if label is None and counts[code]]
    tuple_ = np.concatenate((leaf, np.array(gone, np.int64)))
    rows = np.concatenate((np.ones(len(leaf), np.int64), counts[gone].astype(np.int64)))
    member = np.concatenate((value, np.array(gone, np.int64)))
    return Deal(attribute, Splits(tuple_, rows, member), tuple(labels))


def _shuffled_ties(leaf: IntArray, value: IntArray, bits: Bits) -> tuple[IntArray, IntArray]:
    """The same pairs, equal leaves beside each other and otherwise in random order."""
    mixed = permutation(len(leaf), bits=bits)
    order = mixed[np.argsort(leaf[mixed], kind="stable")]
    return leaf[order], value[order]
