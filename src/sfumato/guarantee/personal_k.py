"""Personalized k-anonymity: each person says in how large a crowd to stand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, Need, OfSizes
from sfumato.numbers.compare import largest_quotient
from sfumato.numbers.enclosure import round_down

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class PersonalK(OfSizes):
    """Every class holds at least as many persons as the largest k that one of them asks for.

    Args:
        column: column that holds each person's own k.

    Source:
        A. Michel, B. Nguyen, P. Pucheral, "Managing distributed queries under personalized anonymity
        constraints", DATA 2017.

    Example:
        >>> import numpy as np
        >>> from sfumato.summary.classes import Classes
        >>> size = np.array([3, 2])
        >>> two = Classes(np.array([[0], [1]]), size, size, personal_k=np.array([5, 2]))
        >>> PersonalK("asked").holds(two).tolist()
        [False, True]
    """

    model: ClassVar[str] = "personal-k"
    needs = frozenset({Need.PERSONAL_K})
    """The k that each person asks for."""
    monotone_in = Move.MERGE
    """A union is as large as its larger part, and asks for the larger k; one that asks for more may break it."""

    column: str

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes are as large as everybody in them asks."""
        return classes.persons >= _asked(classes)

    def measure(self, classes: Classes) -> float:
        """Least quotient of persons in a class over the k asked for there, rounded down; at least 1 where it holds."""
        published = classes.select(classes.rows > 0)
        asked = _asked(published)
        asking = asked > 0
        if not asking.any():
            return math.inf
        inverse = largest_quotient(asked[asking], published.persons[asking])
        return round_down(1 / inverse)

    def guarantee(self) -> Guarantee:
        """The promise of personalized k-anonymity."""
        return Guarantee(
            name="personalized k-anonymity",
            statement=(
                f"Each published row shares its quasi-identifiers with the rows of at least as many persons, its own "
                f"included, as its person asks for in {self.column!r}."
            ),
            definition="Every equivalence class holds at least max k_i persons, over the persons i in it.",
            parameters={"column": self.column},
            kind="checked",
            source="A. Michel, B. Nguyen, P. Pucheral, DATA 2017",
            assumptions=(
                "An intruder knows nothing of a person but the declared quasi-identifiers.",
                "The k of each person is not published and tells nothing of the person.",
            ),
        )


def _asked(classes: Classes) -> IntArray:
    """(n_classes,) the largest k asked for in each class."""
    if classes.personal_k is None:
        raise ParameterError(
            "Personalized k-anonymity needs the k of each person, and none was read.",
            "name the column that holds it in the criterion.",
        )
    return classes.personal_k
