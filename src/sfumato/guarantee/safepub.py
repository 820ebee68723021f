"""SafePub: differential privacy by sampling rows, recoding them by a fixed rule, and publishing large classes only."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfSizes, smallest
from sfumato.guarantee.central_dp import ApproxCentralDP
from sfumato.guarantee.safepub_delta import SampledClasses
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import as_fraction
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from sfumato.numbers.exact import Exact
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray

UNIT = Unit.row(Neighbors.ADD_REMOVE)
"""Whom it protects: one row."""


@dataclass(frozen=True, slots=True)
class SafePub(OfSizes):
    """(ε, δ)-differential privacy of a table whose rows were sampled, recoded, and suppressed in classes below k.

    ε is spent in two parts: `search_epsilon` on choosing the levels from the table (0 where they are given), the
    rest on sampling and suppression, from which β and k follow. Only the method `safepub` keeps this promise:
    classes of k rows alone prove nothing.

    Proof: page "SafePub". The search reads the whole table with noise of its own; the sample is drawn afterwards by
    coins of its own, so that the two add up.

    Args:
        epsilon: ε of the whole release, in nats.
        delta: δ, in [10^-30, 1).
        search_epsilon: the part of ε that the search may spend, >= 0.

    Raises:
        ParameterError: a number outside its range, or a rest of ε outside [1/100, 8]. Remedy: in the message.

    Source:
        R. Bild, K. Kuhn, F. Prasser, "SafePub: A Truthful Data Anonymization Algorithm With Strong Privacy
        Guarantees", PoPETs 2018(1), theorems 2 and 3.

    Example:
        >>> promise = SafePub(epsilon=1, delta="1e-6", search_epsilon=0)
        >>> promise.k, float(promise.beta)
        (74, 0.632120558828)
    """

    model: ClassVar[str] = "differential-privacy"
    variant: ClassVar[dict[str, str]] = {"kind": "safepub"}
    monotone_in = Move.MERGE | Move.ABSORB
    """A union is at least as large as its largest part."""

    epsilon: Exact
    delta: Exact
    search_epsilon: Exact

    def __post_init__(self) -> None:
        for name, high in (("epsilon", None), ("delta", 1), ("search_epsilon", None)):
            object.__setattr__(self, name, as_fraction(name, getattr(self, name), low=0, high=high))
        if Fraction(self.search_epsilon) >= Fraction(self.epsilon):
            raise ParameterError(
                "`search_epsilon` must be below `epsilon`; got {search_epsilon} of {epsilon}.",
                "leave a part of epsilon for the sampling.",
                search_epsilon=self.search_epsilon,
                epsilon=self.epsilon,
            )
        _ = self.k

    @property
    def sampled(self) -> SampledClasses:
        """The sampling and suppression, with the part of ε that is theirs."""
        return SampledClasses(Fraction(self.epsilon) - Fraction(self.search_epsilon))

    @property
    def k(self) -> int:
        """Sampled rows that a published class must hold."""
        return _k_of(self.sampled, Fraction(self.delta))

    @property
    def beta(self) -> Fraction:
        """Chance with which each row is sampled."""
        return self.sampled.beta

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes hold at least k sampled rows."""
        return classes.rows >= self.k

    def measure(self, classes: Classes) -> float:
        """Rows in the smallest class; infinity when there is no class."""
        return smallest(classes.rows, classes)

    def guarantee(self) -> Guarantee:
        """The promise, in words and numbers."""
        promise = ApproxCentralDP(Fraction(self.epsilon), Fraction(self.delta), UNIT).guarantee()
        numbers = {
            **promise.parameters,
            "search_epsilon": self.search_epsilon,
            "beta": self.beta,
            "k": self.k,
            "delta_bound": round_up(self.sampled.delta(self.k)),
            "delta_reached": round_up(_reached(self.sampled, self.k)),
        }
        return Guarantee(
            name="differential privacy by sampling (SafePub)",
            statement=promise.statement,
            definition=promise.definition,
            parameters=numbers,
            kind="proved",
            source="R. Bild, K. Kuhn, F. Prasser, PoPETs 2018(1), theorems 2 and 3; "
            "N. Li, W. Qardaji, D. Su, ASIACCS 2012, theorem 1",
            assumptions=_ASSUMPTIONS,
        )


_ASSUMPTIONS = (
    "Each person has one row; with c rows a person is protected by c times epsilon, and by less than delta says.",
    "Only the released table leaves the curator: its report and result read the original and stay inside.",
    "Hierarchies and first steps were not made from the table, and that the run succeeded is no secret.",
    "The sample is drawn from a secure source and kept secret; everything else published of these persons adds up.",
    "delta is far below 1 / (number of persons).",
)


@lru_cache(maxsize=64)
def _k_of(sampled: SampledClasses, delta: Fraction) -> int:
    """The class limit, computed once."""
    return sampled.smallest_k(delta)


@lru_cache(maxsize=64)
def _reached(sampled: SampledClasses, k: int) -> Fraction:
    """The exact δ, computed once."""
    return sampled.reached(k)
