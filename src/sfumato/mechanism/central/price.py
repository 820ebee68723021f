"""What may be asked for an answer, and how is it shared among the parts of the answer?"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from sfumato.account.concentrated import rho_for
from sfumato.account.event import ApproxDP, PureDP, ZeroConcentratedDP
from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

Price: TypeAlias = "PureDP | ApproxDP | ZeroConcentratedDP"
"""PureDP: discrete Laplace noise. ZeroConcentratedDP and ApproxDP: discrete Gaussian noise."""


def checked_price(price: Price) -> Price:
    """The price, if it buys a finite amount of noise.

    Raises:
        ParameterError: another event, or a price of 0 (it would need infinite noise); ApproxDP with delta = 0.
            Remedy: name a positive epsilon, epsilon with delta, or rho.

    Example:
        >>> checked_price(PureDP(Fraction(1)))
        PureDP(epsilon=Fraction(1, 1))
    """
    if isinstance(price, ZeroConcentratedDP):
        parts: tuple[Fraction, ...] = (price.rho,)
    elif isinstance(price, PureDP):
        parts = (price.epsilon,)
    elif isinstance(price, ApproxDP):
        parts = (price.epsilon, price.delta)
    else:
        parts = ()
    if not parts or min(parts) <= 0:
        raise ParameterError(
            "A price must be PureDP, ApproxDP or ZeroConcentratedDP with every number above 0.",
            "give PureDP(Fraction(1)), for example; an answer without a price has no finite noise.",
        )
    return price


def shared(price: Price, shares: Sequence[Fraction]) -> list[Price]:
    """Prices of the parts, which together cost no more than the price.

    ε and ρ are divided. (ε, δ) is first turned into the largest ρ that promises it, since ρ adds up without loss.

    Args:
        price: of the whole.
        shares: > 0, with sum 1.

    Example:
        >>> shared(PureDP(Fraction(1)), [Fraction(1, 4), Fraction(3, 4)])
        [PureDP(epsilon=Fraction(1, 4)), PureDP(epsilon=Fraction(3, 4))]
    """
    if isinstance(price, PureDP):
        return [PureDP(price.epsilon * share) for share in shares]
    rho = price.rho if isinstance(price, ZeroConcentratedDP) else rho_for(price.epsilon, price.delta)
    return [ZeroConcentratedDP(rho * share) for share in shares]
