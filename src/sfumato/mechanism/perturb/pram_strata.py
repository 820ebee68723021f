"""Post-randomization of a column of a plan with a matrix for each stratum, which another column holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.perturb.column_method import ColumnDecision
from sfumato.mechanism.perturb.pram import MISSING, randomize_strata
from sfumato.mechanism.perturb.transition import invariant_each, keep_share
from sfumato.recipe.steps import Assign, Splits
from sfumato.summary.blur import Pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.perturb.pram_column import PramColumn
    from sfumato.mechanism.perturb.transition import Transition
    from sfumato.noise.bits import Bits
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class StratifiedPram:
    """`PramColumn` within each stratum: invariant matrices are made from the shares of the stratum.

    Args:
        plain: values, `keep` and `alpha`, alike in all strata.
        strata: name of the column that holds the stratum; it is published as it is.
        levels: the declared strata.

    Raises:
        ParameterError: no stratum, or one twice.

    Example:
        >>> from sfumato.mechanism.perturb.pram_column import PramColumn
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> smokes, town = (bind(Column(name, Role.SENSITIVE), cells) for name, cells in (("smokes", ["no", "yes"]), ("town", ["a"])))
        >>> counted = Classes(np.array([[0, 0], [1, 0]]), np.array([90, 10]), np.array([90, 10]))
        >>> method = StratifiedPram(PramColumn(("no", "yes"), 0.75, None), "town", ("a",))
        >>> decision = method.decide_tuples((smokes, town), counted, bits=SystemBits())
        >>> decision.guarantee.parameters["epsilon"], int(decision.step.splits.rows.sum())
        (1.0986122886681098, 100)
    """

    plain: PramColumn
    strata: str
    levels: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.levels or len(set(self.levels)) < len(self.levels):
            raise ParameterError(
                "PRAM by strata needs the declared strata, each once; got {n_levels}.",
                "list every value of the column that holds them (`strata_values`).",
                n_levels=len(self.levels),
            )

    @property
    def beside(self) -> tuple[str, ...]:
        """The column that holds the stratum."""
        return (self.strata,)

    def decide_tuples(self, attributes: Sequence[Attribute], classes: Classes, *, bits: Bits) -> ColumnDecision:
        """What each row gets: drawn here, since a row's stratum decides its matrix.

        Raises:
            ParameterError: cells outside the declared categories or strata, or a stratum whose shares are not known;
                they are counted, not shown.
        """
        column, held = attributes
        rows = np.bincount(classes.codes[:, 0], weights=classes.rows, minlength=len(column.hierarchy.labels[0]))
        category, _ = self.plain.encoded(column, rows.astype(np.int64))
        stratum = self._strata(held, classes)
        chances = self._chances(column.name, category[classes.codes[:, 0]], stratum, classes.rows)
        owner = np.repeat(np.arange(classes.n_classes), classes.rows)
        drawn = randomize_strata(category[classes.codes[owner, 0]], stratum[owner], chances, bits=bits)
        widest = max(chances, key=lambda chance: chance.epsilon)
        return ColumnDecision(
            step=self._step(attributes, classes, owner, drawn),
            guarantee=widest.guarantee(column.name, from_table=self.plain.alpha is not None),
            worth=(),
            risk=(),
            blur=self._pairs(classes, category, stratum, chances),
        )

    def _strata(self, held: Attribute, classes: Classes) -> IntArray:
        """(n_classes,) int64: the stratum of each tuple."""
        place = {value: i for i, value in enumerate(self.levels)}
        of_leaf = np.array(
            [place.get(str(label), -1) if label is not None else -1 for label in held.hierarchy.labels[0]]
        )
        stratum = of_leaf[classes.codes[:, 1]].astype(np.int64)
        outside = int(classes.rows[stratum < 0].sum())
        if outside:
            raise ParameterError(
                "Every cell of {name!r} must hold one of its {n_levels} declared values; {outside} do not.",
                "declare every stratum in `strata_values`.",
                name=self.strata,
                n_levels=len(self.levels),
                outside=outside,
            )
        return stratum

    def _chances(self, name: str, category: IntArray, stratum: IntArray, rows: IntArray) -> tuple[Transition, ...]:
        plain = keep_share(len(self.plain.values), self.plain.keep)
        if self.plain.alpha is None:
            return (plain,) * len(self.levels)
        known, cells = category != MISSING, np.zeros((len(self.levels), len(self.plain.values)), np.int64)
        np.add.at(cells, (stratum[known], category[known]), rows[known])
        return invariant_each(name, plain, cells, alpha=self.plain.alpha)

    def _step(self, attributes: Sequence[Attribute], classes: Classes, owner: IntArray, drawn: IntArray) -> Assign:
        """Rows of a tuple one after the other, each with its category; the stratum as it is."""
        pairs, member = np.unique(np.column_stack((owner, drawn)), axis=0, return_inverse=True)
        texts = [self.plain.values[at] if at != MISSING else None for at in pairs[:, 1].tolist()]
        held = attributes[1].hierarchy.labels[0]
        beside = tuple(held[code] for code in classes.codes[pairs[:, 0], 1].tolist())
        splits = Splits(owner, np.ones(len(owner), np.int64), member.reshape(-1).astype(np.int64))
        member_of = np.zeros(classes.n_classes, np.int64)
        return Assign(tuple(attributes), classes.codes, member_of, (tuple(texts), beside), splits)

    def _pairs(self, classes: Classes, category: IntArray, stratum: IntArray, chances: Sequence[Transition]) -> Pairs:
        """Expected cells of every original leaf and published category, all strata together."""
        leaf = classes.codes[:, 0]
        known = np.flatnonzero(category[leaf] != MISSING)
        laws = np.stack([chance.matrix for chance in chances])[stratum[known], category[leaf[known]]]
        row, value = np.nonzero(laws)
        kept = np.full(len(self.plain.values), -1, np.int64)
        kept[category[leaf[known]]] = leaf[known]
        cells = (classes.rows[known, np.newaxis] * laws)[row, value]
        return Pairs(leaf[known][row], value.astype(np.int64), cells, None, None, kept)
