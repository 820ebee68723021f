"""k-anonymity: nobody stands in a smaller crowd than k."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfSizes, smallest
from sfumato.numbers.check import as_whole

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray


@dataclass(frozen=True, slots=True)
class KAnonymity(OfSizes):
    """Every class holds at least k persons.

    Proof: a released row's quasi-identifiers are shared by the rows of at least k persons, so they
    single out nobody among them. Persons are counted, not rows.

    Args:
        k: least number of persons in a class, >= 1.

    Raises:
        ParameterError: k < 1. Remedy: choose k >= 2.

    Source:
        L. Sweeney, "k-anonymity: a model for protecting privacy", IJUFKS 10(5), 2002, definition 3.

    Example:
        >>> import numpy as np
        >>> from sfumato.summary.classes import Classes
        >>> classes = Classes(np.array([[0], [1]]), rows=np.array([3, 2]), alone=np.array([3, 2]))
        >>> KAnonymity(3).holds(classes).tolist(), KAnonymity(3).measure(classes)
        ([True, False], 2.0)
    """

    model: ClassVar[str] = "k-anonymity"
    monotone_in = Move.MERGE | Move.ABSORB
    """A union is at least as large as its largest part."""

    k: int

    def __post_init__(self) -> None:
        as_whole("k", self.k, low=1)

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes hold at least k persons."""
        return classes.persons >= self.k

    def measure(self, classes: Classes) -> float:
        """Persons in the smallest class; infinity when there is no class."""
        return smallest(classes.persons, classes)

    def guarantee(self) -> Guarantee:
        """The promise of k-anonymity."""
        return Guarantee(
            name=self.model,
            statement=(
                "Each published row stands in a class of its quasi-identifiers that holds the rows of at least "
                f"{self.k} persons."
            ),
            definition="Every equivalence class of the quasi-identifiers holds at least k persons.",
            parameters={"k": self.k},
            kind="checked",
            source="L. Sweeney, IJUFKS 10(5), 2002, definition 3",
            assumptions=(
                "An intruder knows nothing of a person but the declared quasi-identifiers.",
                "It does not hide what a class has in common: see l-diversity and t-closeness.",
            ),
        )
