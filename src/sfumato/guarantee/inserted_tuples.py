"""α-β insertion: differential privacy of a published set of tuples, each kept or inserted by a coin of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfSizes
from sfumato.guarantee.central_dp import PureCentralDP
from sfumato.numbers.exact import as_fraction
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from sfumato.numbers.exact import Exact
    from sfumato.summary.classes import Classes


@dataclass(frozen=True, slots=True)
class InsertedTuples(OfSizes):
    """ε-differential privacy for one tuple of a published set. Only the method `tuple-insertion` keeps this promise.

    Classes say nothing about it, so it holds of any.

    Args:
        epsilon: ε, above 0, at most 32.

    Raises:
        ParameterError: ε outside its range. Remedy: choose such as 2.

    Source:
        V. Rastogi, D. Suciu, S. Hong, "The Boundary Between Privacy and Utility in Data Publishing", VLDB 2007, for
        the algorithm; ε: page "Publish a table of tuples".

    Example:
        >>> InsertedTuples("1/2").guarantee().parameters["epsilon"]
        Fraction(1, 2)
    """

    model: ClassVar[str] = "differential-privacy"
    variant: ClassVar[dict[str, str]] = {"kind": "tuple-insertion"}
    monotone_in = Move.MERGE
    """It does not read classes."""

    epsilon: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", as_fraction("epsilon", self.epsilon, low=0, high=32))
        if not self.epsilon:
            raise ParameterError("`epsilon` must be above 0; got 0.", "choose such as 2.")

    def holds_together(self, classes: Classes) -> bool:
        """True: it rests on how the set was drawn, not on what it looks like."""
        del classes
        return True

    def measure(self, classes: Classes) -> float:
        """0: nothing of it can be measured on a set."""
        del classes
        return 0.0

    def guarantee(self) -> Guarantee:
        """The promise, in words and numbers."""
        promise = PureCentralDP(Fraction(self.epsilon), Unit.row(Neighbors.ADD_REMOVE)).guarantee()
        return Guarantee(
            name="differential privacy of a set of tuples (α-β insertion)",
            statement=promise.statement,
            definition=promise.definition,
            parameters=promise.parameters,
            kind="proved",
            source="V. Rastogi, D. Suciu, S. Hong, VLDB 2007, section 3; epsilon from the two chances, exactly",
            assumptions=(
                "Each person has one tuple; with c tuples a person is protected by c times epsilon.",
                "The table is a set: persons with equal tuples are one.",
                "The domain of every column was declared without the table, and the coins are secure and secret.",
                "Only the published table leaves the curator: its report and result read the original and stay inside.",
            ),
        )
