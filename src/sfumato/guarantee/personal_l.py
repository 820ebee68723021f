"""Personalized l-diversity: each person says among how many values of a sensitive column to hide."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, Need, OfColumn
from sfumato.guarantee.diversity import top_and_tail
from sfumato.numbers.compare import largest_quotient
from sfumato.numbers.enclosure import round_down
from sfumato.summary.histogram import MISSING_RULE, distribution_of

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class PersonalL(OfColumn):
    """Every class is as diverse in the sensitive column as the most demanding person in it asks for.

    With L the largest l that a person of the class asks for: `distinct` wants L different values, `frequency` wants
    that no value belongs to more than one person in L. A class in which nobody asks is content.

    Args:
        column: sensitive column.
        asked: column that holds each person's own l, whole numbers >= 0; missing asks for nothing.
        kind: "distinct" or "frequency".

    Raises:
        ParameterError: another kind.

    Source:
        A. Michel, B. Nguyen, P. Pucheral, "Managing distributed queries under personalized anonymity
        constraints", DATA 2017, where each person chooses k and l.

    Example:
        >>> from sfumato.testing.examples import asking, classes_with_illness
        >>> three = asking(classes_with_illness([[1, 1], [2, 1], [3, 0]]), "wish", [2, 2, 0])
        >>> PersonalL("illness", "wish", "distinct").holds(three).tolist()
        [True, True, True]
        >>> PersonalL("illness", "wish", "frequency").holds(three).tolist()
        [True, False, True]
    """

    model: ClassVar[str] = "personal-l"
    needs = frozenset({Need.HISTOGRAM, Need.BESIDE})
    """Counts of the sensitive values, and the l that each person asks for."""

    column: str
    asked: str
    kind: Literal["distinct", "frequency"]

    def __post_init__(self) -> None:
        if self.kind not in ("distinct", "frequency"):
            raise ParameterError(
                '`kind` of personal l must be "distinct" or "frequency"; got {kind!r}.',
                "choose one of them.",
                kind=self.kind,
            )

    @property
    def monotone_in(self) -> Move:
        """A union holds every value of its parts; but shares that content one part may be too large for the other."""
        return Move.MERGE if self.kind == "distinct" else Move.NONE

    @property
    def beside(self) -> tuple[str, ...]:
        """The column of wishes."""
        return (self.asked,)

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes are as diverse as everybody in them asks."""
        asked = self._largest(classes)
        reached, per = self._diversity(classes)
        return np.asarray((asked == 0) | ((per > 0) & (reached >= asked * per)), np.bool_)

    def measure(self, classes: Classes) -> float:
        """Least quotient of the diversity of a class over the l asked for there, rounded down; >= 1 where it holds."""
        published = classes.select(classes.rows > 0)
        asked = self._largest(published)
        asking = asked > 0
        if not asking.any():
            return math.inf
        reached, per = (part[asking] for part in self._diversity(published))
        if not reached.all():
            return 0.0
        return round_down(1 / largest_quotient(asked[asking] * per, reached))

    def _largest(self, classes: Classes) -> IntArray:
        """(n_classes,) int64: the largest l asked for in each class."""
        if self.asked not in [histogram.attribute.name for histogram in classes.beside]:
            raise ParameterError(
                "Personalized l-diversity needs the l of each person, and none was read.",
                "name the column that holds it as `asked` of the criterion.",
            )
        wishes = classes.beside_of(self.asked)
        out = np.zeros(classes.n_classes, np.int64)
        np.maximum.at(out, wishes.owner, asks_of(wishes.attribute)[wishes.value])
        return out

    def _diversity(self, classes: Classes) -> tuple[IntArray, IntArray]:
        """(n_classes,) each: values over 1, or persons over those with the most frequent value; 0 where none has one."""
        d = distribution_of(classes, self.column)
        if self.kind == "distinct":
            values = np.bincount(d.owner, minlength=d.n_classes).astype(np.int64)
            return values, np.ones(d.n_classes, np.int64)
        return d.sizes, top_and_tail(d, 1)[0]

    def guarantee(self) -> Guarantee:
        """The promise of personalized l-diversity."""
        what = (
            f"at least as many different values of {self.column!r} occur as its person asks for in {self.asked!r}"
            if self.kind == "distinct"
            else f"no value of {self.column!r} has a share above 1/l, with the l that its person asks for in {self.asked!r}"
        )
        return Guarantee(
            name=f"personalized {self.kind} l-diversity",
            statement=f"Each published row stands in a class in which {what}.",
            definition="Every equivalence class is l-diverse for l = max l_i over the persons i in it.",
            parameters={"column": self.column, "asked": self.asked, "kind": self.kind},
            kind="checked",
            source="A. Michel, B. Nguyen, P. Pucheral, DATA 2017; A. Machanavajjhala et al., TKDD 1(1), 2007",
            assumptions=(
                "An intruder knows nothing of how the sensitive values of particular persons are distributed.",
                "The l of each person is not published and tells nothing of the person.",
                MISSING_RULE,
            ),
        )


def asks_of(attribute: Attribute) -> IntArray:
    """(n_leaves,) int64: what each value of a column of wishes asks for; 0 where it is missing."""
    where = np.zeros(0) if attribute.positions is None else attribute.positions
    return np.nan_to_num(where).astype(np.int64)
