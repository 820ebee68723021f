"""Post-randomization of a column of a plan: declared categories, each cell drawn from its own."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.perturb.column_method import ColumnDecision
from sfumato.mechanism.perturb.pram import covariance_of, randomize
from sfumato.mechanism.perturb.transition import Transition, invariant, keep_share
from sfumato.recipe.steps import Randomize
from sfumato.summary.blur import Pairs
from sfumato.summary.figure import Figure
from sfumato.table.number import positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

_SOURCE = "A. van den Hout, P. van der Heijden, Int. Statistical Review 70(2), 2002, section 3"


@dataclass(frozen=True, slots=True, eq=False)
class CategoryDraw:
    """What is published in a cell: a category drawn from the row of its own in the matrix.

    Args:
        category: (n_leaves,) int64, category of each leaf; -1: none (a missing cell, which is not drawn).
        chance: the matrix.
        labels: published text of each category.
    """

    category: IntArray
    chance: Transition = field(repr=False)
    labels: tuple[str, ...]

    def draw(self, leaves: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 categories, one for each of (n,) leaf codes."""
        return randomize(self.category[leaves], self.chance, bits=bits)

    def texts(self, places: Sequence[int]) -> list[str]:
        """The text of each category."""
        return [self.labels[place] for place in places]


@dataclass(frozen=True, slots=True)
class PramColumn:
    """Publish each cell as its own category with probability `keep`, else as another, all equally likely.

    Args:
        values: the declared categories, all that can occur. They are not read off the table, because a
            category that only one person has would tell that the person is there.
        keep: probability that a cell keeps its category, in [1/k, 1).
        alpha: invariant PRAM with this weight, in (0, 1]; None: the plain matrix.

    Raises:
        ParameterError: fewer than two categories, a repeated one, or numbers outside their ranges.

    Source:
        J. M. Gouweleeuw et al., "Post Randomisation for Statistical Disclosure Control", J. Official Statistics 14(4),
        1998; P. Kooiman et al., "PRAM", Statistics Netherlands, 1997 (invariant).

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> smokes = bind(Column("smokes", Role.SENSITIVE), ["no", "yes"])
        >>> decision = PramColumn(("no", "yes"), 0.75, None).decide(smokes, np.array([90, 10]), bits=SystemBits())
        >>> decision.guarantee.parameters["epsilon"]
        1.0986122886681098
    """

    values: tuple[str, ...]
    keep: float
    alpha: float | None

    def __post_init__(self) -> None:
        if len(set(self.values)) < max(2, len(self.values)):
            raise ParameterError(
                "PRAM needs at least two declared categories, each once; got {n_values}.",
                "list every value that can occur.",
                n_values=len(self.values),
            )
        keep_share(len(self.values), self.keep)

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """The matrix, and what it leaves. No chance is drawn yet.

        Raises:
            ParameterError: cells outside the declared categories; they are counted, not shown.
        """
        del bits
        category, cells = self.encoded(attribute, counts)
        plain = keep_share(len(self.values), self.keep)
        chance = plain if self.alpha is None else invariant(plain, cells / cells.sum(), alpha=self.alpha)
        return ColumnDecision(
            step=Randomize(attribute, CategoryDraw(category, chance, self.values)),
            guarantee=chance.guarantee(attribute.name, from_table=self.alpha is not None),
            worth=(self._error(chance, cells),),
            risk=(),
            blur=self._pairs(attribute, counts, category, chance),
        )

    def encoded(self, attribute: Attribute, counts: IntArray) -> tuple[IntArray, IntArray]:
        """(n_leaves,) category of each leaf, -1 where missing, and (k,) cells of each category.

        Raises:
            ParameterError: cells outside the declared categories, or no known cell.
        """
        place = {value: i for i, value in enumerate(self.values)}
        labels = attribute.hierarchy.labels[0]
        category = np.array([-1 if label is None else place.get(label, -2) for label in labels], np.int64)
        outside = int(counts[category == -2].sum())
        if outside:
            raise ParameterError(
                "Every cell of {name!r} must hold one of its {n_values} declared values; {outside} do not.",
                "declare every value that can occur, and missing codes in [source] missing.",
                name=attribute.name,
                n_values=len(self.values),
                outside=outside,
            )
        known = category >= 0
        cells = np.bincount(category[known], weights=counts[known], minlength=len(self.values)).astype(np.int64)
        if not cells.sum():
            raise ParameterError(
                "{name!r} must hold a known cell; it has none.", "leave it as it is.", name=attribute.name
            )
        return category, cells

    def _pairs(self, attribute: Attribute, counts: IntArray, category: IntArray, chance: Transition) -> Pairs:
        """Expected cells of every original leaf and published category."""
        known = np.flatnonzero((category >= 0) & (counts > 0))
        expected = counts[known, np.newaxis] * chance.matrix[category[known]]
        row, value = np.nonzero(expected)
        kept = np.full(len(self.values), -1, np.int64)
        kept[category[known]] = known
        published = None if attribute.positions is None else positions(attribute.column, self.values)
        return Pairs(known[row], value.astype(np.int64), expected[row, value], attribute.positions, published, kept)

    def _error(self, chance: Transition, cells: IntArray) -> Figure:
        """The largest standard error of a share that is estimated from the release."""
        return Figure(
            name="share_error",
            label="Largest standard error of an estimated share",
            value=share_error(chance, cells),
            definition="Largest root of the diagonal of P^-T Cov(λ) P^-1: shares of the original categories, estimated "
            "without bias from the published ones.",
            source=_SOURCE,
        )


def share_error(chance: Transition, cells: IntArray) -> float | None:
    """The largest standard error among the estimated shares; None where the matrix tells too little to estimate.

    Args:
        chance: the matrix.
        cells: (k,) int64, original cells of each category, at least one.

    Example:
        >>> round(share_error(keep_share(2, 0.75), np.array([50, 50])), 4)
        0.0866
    """
    if np.linalg.cond(chance.matrix) > 1 / np.finfo(np.float64).eps:
        return None
    spread = covariance_of(cells / cells.sum(), int(cells.sum()), chance)
    return float(np.sqrt(np.diag(spread).max()))
