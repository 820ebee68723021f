"""Targeted record swapping: rows exchange their region with a row that looks alike, rare rows first."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.perturb.column_method import ColumnDecision
from sfumato.noise.permutation import permutation
from sfumato.recipe.steps import Assign, Splits
from sfumato.summary.blur import Pairs
from sfumato.summary.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray

_SOURCE = "T. Dalenius, S. Reiss, J. Statistical Planning and Inference 6, 1982; S. Shlomo et al., PSD 2010"


@dataclass(frozen=True, slots=True)
class RecordSwapping:
    """Exchange the region of rows between pairs that agree in the `match` columns and lie in different regions.

    Rows at risk are those that fewer than `at_risk` rows share all columns with (region, match and key). They are
    exchanged first, then random rows until `share` of all rows is. How many rows each region has with each
    combination of the match columns stays exactly as it was. A row without a region, or without a partner elsewhere, stays.

    Args:
        match: columns in which partners agree.
        key: further columns that make a row rare.
        at_risk: rows with fewer alike, themselves included, are at risk, >= 1.
        share: least share of the rows to exchange, in [0, 1).

    Raises:
        ParameterError: numbers outside their ranges, or a column named twice.

    Source:
        T. Dalenius and S. Reiss, "Data-swapping: A technique for disclosure control", 1982; S. Shlomo, C. Tudor and
        P. Groom, "Data Swapping for Protecting Census Tables", PSD 2010 (targeted).

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> region, size = (bind(Column(name, Role.QUASI_IDENTIFYING), ["a", "b"]) for name in ("region", "size"))
        >>> ones = np.ones(2, np.int64)
        >>> both = Classes(np.array([[0, 0], [1, 0]]), rows=ones, alone=ones)
        >>> swap = RecordSwapping(("size",), (), 2, Fraction(0))
        >>> swap.decide_tuples((region, size), both, bits=SystemBits()).worth[0].value
        1.0
    """

    match: tuple[str, ...]
    key: tuple[str, ...]
    at_risk: int
    share: Fraction

    def __post_init__(self) -> None:
        names = self.beside
        if not (self.at_risk >= 1 and 0 <= self.share < 1 and self.match and len(set(names)) == len(names)):
            raise ParameterError(
                "Record swapping needs `match` columns, each named once, `at_risk` >= 1 and `share` in [0, 1).",
                'give such as match = ["household"], at_risk = 3, share = 0.05.',
            )

    @property
    def beside(self) -> tuple[str, ...]:
        """The columns that are read."""
        return (*self.match, *self.key)

    def decide_tuples(self, attributes: Sequence[Attribute], classes: Classes, *, bits: Bits) -> ColumnDecision:
        """Which rows of each tuple get which region."""
        owner = np.repeat(np.arange(classes.n_classes), classes.rows)
        owner = owner[permutation(len(owner), bits=bits)]  # rows of a tuple are dealt in random order
        rare = (classes.rows < self.at_risk)[owner]
        group = _groups(classes.codes[:, 1 : 1 + len(self.match)])[owner]
        region = classes.codes[owner, 0]
        labels = attributes[0].hierarchy.labels[0]
        here = np.flatnonzero(np.array([label is not None for label in labels])[region])
        pool = np.zeros(len(owner), np.bool_)
        pool[here] = pool_of(group[here], rare[here], ceil(self.share * len(here)))
        new = region[partners(group, region, pool, bits=bits)]
        pairs = Pairs(region, new, np.ones(len(owner)), None, None, kept=np.arange(len(labels)))
        return ColumnDecision(
            step=_assign(attributes, classes, owner, new),
            guarantee=None,
            worth=(_moved(new != region),),
            risk=(_left(rare, new != region),),
            blur=pairs,
        )


def pool_of(group: IntArray, rare: BoolArray, least: int) -> BoolArray:
    """(n,) bool: the rows that are exchanged: rare ones, more until there are `least`, and as many partners.

    Rows come in random order; whoever comes first is taken first. The pool of every group is even.

    Args:
        group: (n,) int64, rows that may be partners.
        rare: (n,) bool.
        least: rows to exchange, partners included.

    Example:
        >>> pool_of(np.array([0, 0, 0, 1]), np.array([True, False, False, True]), 0).tolist()
        [True, True, False, False]
    """
    n = len(group)
    wanted = rare.copy()
    others = np.flatnonzero(~rare)
    wanted[others[: max(0, -(-(least - 2 * int(rare.sum())) // 2))]] = True
    order = np.lexsort((np.arange(n), ~wanted, group))  # in each group the wanted ones first
    size = np.bincount(group)
    start = np.concatenate(([0], np.cumsum(size)[:-1]))
    take = np.minimum(2 * np.bincount(group, weights=wanted, minlength=len(size)).astype(np.int64), size)
    take -= take % 2
    place = np.arange(n) - start[group[order]]
    out = np.zeros(n, np.bool_)
    out[order] = place < take[group[order]]
    return out


def partners(group: IntArray, region: IntArray, pool: BoolArray, *, bits: Bits) -> IntArray:
    """(n,) int64: with which row each one exchanges its region; itself for rows outside the pool.

    The pool of a group is sorted by region, regions in random order, and cut in two halves that face each other: two
    partners are of one region only where that region holds more than half of the pool.

    Args:
        group: (n,) int64.
        region: (n,) int64.
        pool: (n,) bool, an even number in every group.
        bits: source of chance.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> partners(np.zeros(3, np.int64), np.array([5, 6, 5]), np.array([True, True, False]), bits=SystemBits()).tolist()
        [1, 0, 2]
    """
    rows = np.flatnonzero(pool)
    mixed = permutation(int(region.max(initial=-1)) + 1, bits=bits)
    shuffled = rows[permutation(len(rows), bits=bits)]
    order = shuffled[np.lexsort((mixed[region[shuffled]], group[shuffled]))]
    size = np.bincount(group[order], minlength=int(group.max(initial=-1)) + 1)
    start = np.concatenate(([0], np.cumsum(size)[:-1]))
    mine = group[order]
    place = np.arange(len(order)) - start[mine]
    facing = start[mine] + (place + size[mine] // 2) % np.maximum(size[mine], 1)
    out = np.arange(len(group))
    out[order] = order[facing]
    return out


def _groups(codes: IntArray) -> IntArray:
    """(n_classes,) int64: equal rows of codes, numbered."""
    return np.asarray(np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1), np.int64)


def _assign(attributes: Sequence[Attribute], classes: Classes, owner: IntArray, new: IntArray) -> Assign:
    """The step: rows of a tuple one after the other, each with its region; the other columns as they are."""
    order = np.argsort(owner, kind="stable")
    pairs, member = np.unique(np.column_stack((owner, new)), axis=0, return_inverse=True)
    codes = classes.codes[pairs[:, 0]].copy()
    codes[:, 0] = pairs[:, 1]
    labels = tuple(
        tuple(attribute.hierarchy.labels[0][code] for code in codes[:, j].tolist())
        for j, attribute in enumerate(attributes)
    )
    splits = Splits(owner[order], np.ones(len(order), np.int64), member.reshape(-1)[order])
    return Assign(tuple(attributes), classes.codes, np.zeros(classes.n_classes, np.int64), labels, splits)


def _moved(moved: BoolArray) -> Figure:
    return Figure(
        name="moved",
        label="Rows in another region",
        value=float(moved.mean()) if len(moved) else None,
        definition="Rows whose region was exchanged for another one / rows.",
        source=_SOURCE,
    )


def _left(rare: BoolArray, moved: BoolArray) -> Figure:
    """How many rare rows stayed."""
    return Figure(
        name="rare_kept",
        label="Rare rows that keep their region",
        value=float((rare & ~moved).sum() / rare.sum()) if rare.any() else 0.0,
        definition="Cells of the region among rare rows that are as they were / rare rows.",
        source=_SOURCE,
    )
