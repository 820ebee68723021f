"""Budgets: what may be spent, and in which measure costs add up.

A measure turns each event into a cost, a short vector of exact fractions that adds up under adaptive
composition; a budget is a limit in one measure. That additivity is what makes the limit a privacy filter: the
next question may depend on all answers so far.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.exact import bounded

Cost: TypeAlias = tuple[Fraction, ...]
"""PURE: (ε,); APPROX: (ε, δ); ZCDP: (ρ,); RENYI: (ε at the budget's order,)."""


class Measure(Enum):
    """In which currency a budget counts."""

    PURE = "pure"
    APPROX = "approx"
    ZCDP = "zcdp"
    RENYI = "renyi"


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit of privacy loss.

    Args:
        measure: the currency.
        limit: as `Cost` of that measure, each number >= 0.
        order: α > 1 of a Rényi budget; None otherwise.

    Raises:
        ParameterError: a limit that is negative, of the wrong length, δ >= 1, or an order that does not fit.
            Remedy: use one of the constructors.

    Example:
        >>> Budget.pure("1.5").limit
        (Fraction(3, 2),)
    """

    measure: Measure
    limit: Cost
    order: Fraction | None = None

    def __post_init__(self) -> None:
        length = 2 if self.measure is Measure.APPROX else 1
        if len(self.limit) != length or any(part < 0 for part in self.limit):
            raise ParameterError(
                "A budget in {measure!r} is {length} number(s), at least 0; got {limit}.",
                "use Budget.pure, Budget.approx, Budget.zcdp or Budget.renyi.",
                measure=self.measure.value,
                length=length,
                limit=self.limit,
            )
        if self.measure is Measure.APPROX and self.limit[1] >= 1:
            raise ParameterError(
                "`delta` must be below 1; got {limit:g}.",
                "choose a delta far below 1 / (number of persons).",
                limit=float(self.limit[1]),
            )
        if (self.order is None) is (self.measure is Measure.RENYI) or (self.order is not None and self.order <= 1):
            raise ParameterError("A Rényi budget, and no other, has an order above 1.", "give `order` > 1.")

    @classmethod
    def pure(cls, epsilon: str | float | Fraction) -> Budget:
        """At most epsilon in all."""
        return cls(Measure.PURE, (bounded("epsilon", epsilon),))

    @classmethod
    def approx(cls, epsilon: str | float | Fraction, delta: str | float | Fraction) -> Budget:
        """At most (epsilon, delta) in all, by basic composition."""
        return cls(Measure.APPROX, (bounded("epsilon", epsilon), bounded("delta", delta)))

    @classmethod
    def zcdp(cls, rho: str | float | Fraction) -> Budget:
        """At most rho of zero-concentrated differential privacy."""
        return cls(Measure.ZCDP, (bounded("rho", rho),))

    @classmethod
    def renyi(cls, order: str | float | Fraction, epsilon: str | float | Fraction) -> Budget:
        """At most epsilon of Rényi differential privacy at one order, fixed in advance."""
        return cls(Measure.RENYI, (bounded("epsilon", epsilon),), bounded("order", order))
