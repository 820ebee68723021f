"""A column published as averages of its neighbors in rank, also with differential privacy.

Individual ranking puts the cells of one column in order, cuts them into groups of k, and publishes the mean of its
group in each cell. Noise added to the sums of the groups protects the list of published values, not the knowledge of
which row stands in which group: that knowledge is the order of the rows. So the noisy values are either dealt to rows
at random, which protects the whole column, or left in order, which protects the list only; the promise says which.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.mechanism.perturb.column_method import ColumnDecision
from sfumato.mechanism.perturb.ranked_groups import bound_of_sums, group_sizes, groups_of
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.noise.permutation import permutation
from sfumato.recipe.steps import Deal, Splits
from sfumato.summary.blur import Pairs
from sfumato.table.decimals import rounded_quotients, spelled, whole_numbers

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.attribute import Attribute
    from sfumato.table.values import Item
    from sfumato.types import IntArray

_SOURCE = "J. Domingo-Ferrer, J. M. Mateo-Sanz, IEEE TKDE 14(1), 2002, section 2"
_PRIVATE_SOURCE = (
    "D. Sánchez, J. Domingo-Ferrer, S. Martínez, J. Soria-Comas, Information Fusion 30, 2016 (bound of the centers); "
    "A. Ghosh, T. Roughgarden, M. Sundararajan, STOC 2009 (noise)"
)


class Rows(Enum):
    """Which rows get which noisy value."""

    SHUFFLED = "shuffled"
    """Values are dealt to the rows uniformly at random: the column alone can be analyzed, nothing beside it."""
    RANKED = "ranked"
    """Each row gets the value of its group: relations to other columns stay, and so does the order of the rows."""


@dataclass(frozen=True, slots=True)
class Private:
    """What makes the list of centers differentially private.

    Args:
        epsilon: > 0.
        bounds: lowest and highest value, declared; other values become these.
        rows: which rows get which value.
    """

    epsilon: Fraction
    bounds: tuple[Fraction, Fraction]
    rows: Rows


@dataclass(frozen=True, slots=True)
class IndividualRanking:
    """Publish in each cell the mean of the k cells (up to 2k - 1 in the middle) that are near to it in rank.

    With `private`, exact discrete Laplace noise of scale width / ε is added to the sum of each group, in whole steps
    of 10^-digits; sums are then divided by the group size and put in order, which costs nothing.

    Args:
        k: least cells of a group, >= 2.
        digits: digits after the point of published numbers; None: as many as the values of the column have. Days
            have none.
        private: epsilon, bounds and who gets which value; None: no noise.

    Raises:
        ParameterError: numbers outside their ranges; privacy without digits, which must not depend on the table.

    Source:
        J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for statistical disclosure
        control", IEEE TKDE 14(1), 2002, section 2. Privacy: proved at `ranked_groups.bound_of_sums`.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> pay = bind(Column("pay", Role.SENSITIVE, Kind.INTEGER), ["10", "20", "60", "90"])
        >>> IndividualRanking(2, 1, None).decide(pay, np.ones(4, np.int64), bits=SystemBits()).step.labels
        ('15', '75')
    """

    k: int
    digits: int | None
    private: Private | None

    def __post_init__(self) -> None:
        if self.k < 2:
            raise ParameterError(
                "`k` of individual ranking must be at least 2; got {k}.", "choose such as 3.", k=self.k
            )
        if self.digits is not None and not 0 <= self.digits <= 18:
            raise ParameterError(
                "`digits` must lie in 0 … 18; got {digits}.", "choose such as 0, 1 or 2.", digits=self.digits
            )
        if self.private is None:
            return
        low, high = self.private.bounds
        if self.digits is None or not self.private.epsilon > 0 or not low < high:
            raise ParameterError(
                "Differential privacy needs `epsilon` > 0, declared `bounds` [lowest, highest] and `digits`.",
                "declare all three without looking at the table.",
            )

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """Which rows of each value get which mean.

        Raises:
            ParameterError: a column of text, or fewer than k cells.
        """
        where = attribute.positions
        if where is None:
            raise ParameterError("Ranks need an order; {name!r} is text.", "declare its `kind`.", name=attribute.name)
        order = np.argsort(where, kind="stable")
        known = order[np.isfinite(where[order])]
        ranked = np.repeat(known, counts[known])
        sizes = group_sizes(len(ranked), self.k)
        centers, digits = self._centers(attribute, ranked, sizes, bits)
        value = groups_of(sizes)
        if self.private is not None and self.private.rows is Rows.SHUFFLED:
            value = value[permutation(len(value), bits=bits)]
        texts = spelled(attribute, centers, digits)
        return ColumnDecision(
            step=_deal(attribute, counts, ranked, value, texts),
            guarantee=self._guarantee(attribute.name),
            worth=(),
            risk=(),
            blur=_pairs(attribute, ranked, value, texts, [float(Fraction(c, 10**digits)) for c in centers]),
        )

    def _centers(self, attribute: Attribute, ranked: IntArray, sizes: IntArray, bits: Bits) -> tuple[list[int], int]:
        """What each group publishes, in whole multiples of 10^-digits."""
        wholes, places = whole_numbers(attribute)
        value = np.array(wholes, object)
        digits = places if self.digits is None else self.digits
        starts = np.cumsum(sizes) - sizes
        if self.private is None:
            sums = np.add.reduceat(value[ranked], starts) * 10**digits
            return rounded_quotients(sums, sizes.astype(object) * 10**places).tolist(), digits
        low, high = _ends(self.private.bounds, digits)
        steps = rounded_quotients(value * 10**digits, np.full(len(value), 10**places, object))
        sums = np.add.reduceat(np.clip(steps, low, high)[ranked], starts)
        noise = discrete_laplace(len(sizes), bound_of_sums(high - low) / self.private.epsilon, bits=bits)
        noisy = rounded_quotients(sums + noise.astype(object), sizes.astype(object))
        return sorted(np.clip(noisy, low, high).tolist()), digits

    def _guarantee(self, column: str) -> Guarantee:
        if self.private is None:
            return _plain(column, self.k)
        return (
            _shuffled(column, self.k, self.private)
            if self.private.rows is Rows.SHUFFLED
            else _listed(column, self.k, self.private)
        )


def _ends(bounds: tuple[Fraction, Fraction], digits: int) -> tuple[int, int]:
    """The bounds in whole multiples of 10^-digits, inside them."""
    low, high = -int(-bounds[0] * 10**digits // 1), int(bounds[1] * 10**digits // 1)
    if low >= high:
        raise ParameterError("Two published numbers must fit between the bounds.", "allow more digits.")
    return low, high


def _deal(attribute: Attribute, counts: IntArray, ranked: IntArray, value: IntArray, texts: list[str]) -> Deal:
    """The step: cells of each leaf in order get the text of their group; missing cells stay missing."""
    run = np.flatnonzero((np.diff(ranked, prepend=-1) != 0) | (np.diff(value, prepend=-1) != 0))
    names = attribute.hierarchy.labels[0]
    gone = np.array([code for code, name in enumerate(names) if name is None and counts[code]], np.int64)
    splits = Splits(
        np.concatenate((ranked[run], gone)),
        np.concatenate((np.diff(run, append=len(ranked)), counts[gone])).astype(np.int64),
        np.concatenate((value[run], np.full(len(gone), len(texts)))).astype(np.int64),
    )
    return Deal(attribute, splits, (*texts, *([None] if len(gone) else [])))


def _pairs(attribute: Attribute, ranked: IntArray, value: IntArray, texts: list[str], centers: list[float]) -> Pairs:
    """Which leaf was published as which center, in how many cells."""
    key, cells = np.unique(ranked * len(texts) + value, return_counts=True)
    leaf_of = {name: code for code, name in enumerate(attribute.hierarchy.labels[0])}
    kept = np.array([leaf_of.get(text, -1) for text in texts], np.int64)
    return Pairs(key // len(texts), key % len(texts), cells.astype(np.float64), attribute.positions,
                 np.array(centers), kept)  # fmt: skip


def _plain(column: str, k: int) -> Guarantee:
    return Guarantee(
        name="individual ranking",
        statement=f"Each published number of {column!r} is the mean of at least {k} cells that follow each other in rank.",
        definition="The cells of the column in order are cut into groups of k (the middle one up to 2k - 1).",
        parameters={"column": column, "k": k},
        kind="proved",
        source=_SOURCE,
        assumptions=(
            "It promises nothing about rows: other columns, or other columns ranked on their own, may tell who is who.",
            "The order of the rows, and how far each is from its neighbors, stays visible.",
        ),
    )


def _shuffled(column: str, k: int, private: Private) -> Guarantee:
    """Noise, and values dealt at random."""
    return Guarantee(
        name="pure differential privacy of a column",
        statement=f"The published column {column!r} is {_text(private.epsilon)}-differentially private for the value of one cell.",
        definition="For two tables that differ in the value of one cell of the column, no set of published columns is "
        "more than e^epsilon times as likely under one as under the other.",
        parameters=_parameters(column, k, private),
        kind="proved",
        source=_PRIVATE_SOURCE,
        assumptions=(
            *_ASSUMPTIONS,
            "The other columns are published by their own rules; if they tell the value of a cell, this column cannot help it.",
        ),
    )


def _listed(column: str, k: int, private: Private) -> Guarantee:
    """Noise, and values in the order of the rows."""
    return Guarantee(
        name="pure differential privacy of a list of values",
        statement=(
            f"The list of the published values of {column!r}, without the rows they stand in, is "
            f"{_text(private.epsilon)}-differentially private for the value of one cell. Which rows share a value is NOT "
            "protected: it shows the exact order of the rows, up to groups."
        ),
        definition="For two tables that differ in the value of one cell of the column, no set of lists is more than "
        "e^epsilon times as likely under one as under the other.",
        parameters=_parameters(column, k, private),
        kind="proved",
        source=_PRIVATE_SOURCE,
        assumptions=(
            *_ASSUMPTIONS,
            "Papers state this epsilon for the whole table; an intruder who sees rows also sees which of them move.",
        ),
    )


def _parameters(column: str, k: int, private: Private) -> dict[str, Item]:
    """What was asked for, and the event to be charged."""
    low, high = private.bounds
    return {
        "column": column,
        "k": k,
        "epsilon": float(private.epsilon),
        "bounds": [float(low), float(high)],
        "rows": private.rows.value,
        "event": f"PureDP({private.epsilon})",
        "neighbors": "one cell of the column has another value",
    }


def _text(epsilon: Fraction) -> str:
    """The epsilon as a short decimal where it is one."""
    return f"{float(epsilon):g}"


_ASSUMPTIONS = (
    "The bounds and the digits were declared without looking at the table.",
    "How many cells there are, and which are missing, is public.",
    "What several columns of one row, or several releases, give away adds up.",
    "Figures of worth and risk in the result and the report compare with the original and are not private.",
)
