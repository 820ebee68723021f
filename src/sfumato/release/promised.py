"""What noisy numbers promise together, told from their price."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.account.accountant import compare
from sfumato.account.cost import pure_epsilon
from sfumato.errors import PlanError
from sfumato.guarantee.central_dp import ApproxCentralDP, PureCentralDP

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.account.event import Event
    from sfumato.guarantee.base import Guarantee
    from sfumato.table.unit import Unit


def promised(event: Event, unit: Unit, delta: Fraction | None) -> Guarantee:
    """What all statistics of a plan promise together.

    Args:
        event: their price.
        unit: what it protects.
        delta: at which it is told, where it is no sum of pure epsilons.

    Raises:
        PlanError: prices with a δ or a ρ, and no δ at which they can be told together.
    """
    pure = pure_epsilon(event)
    if pure is not None:
        return PureCentralDP(pure, unit).guarantee()
    found = [] if delta is None else [one.epsilon for one in compare([event], delta)]
    known = [epsilon for epsilon in found if epsilon is not None]
    if delta is None or not known:
        raise PlanError(
            "Statistics with a delta or a rho need `delta` in [answers], at least the sum of theirs, to be told together.",
            'add such as `answers = {{ delta = "1e-6" }}`, or give pure epsilons.',
        ).below("answers", "delta")
    return ApproxCentralDP(min(known), delta, unit).guarantee()
