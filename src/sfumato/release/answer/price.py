"""What does the asker offer for an answer? An epsilon, an epsilon with a delta, or a rho."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from sfumato.account.budget import exact
from sfumato.account.event import ApproxDP, PureDP, ZeroConcentratedDP
from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.account.event import Event

Number: TypeAlias = "str | float | Fraction"
Price: TypeAlias = "PureDP | ApproxDP | ZeroConcentratedDP"
"""Pure: discrete Laplace noise. The two others: discrete Gaussian noise."""


def price_of(epsilon: Number | None, delta: Number | None, rho: Number | None) -> Price:
    """The price that was named.

    Args:
        epsilon: > 0, in nats.
        delta: in (0, 1), together with an epsilon.
        rho: > 0, by itself.

    Raises:
        ParameterError: none, too many, or one outside its range. Remedy: name one price.

    Example:
        >>> price_of("1/2", None, None)
        PureDP(epsilon=Fraction(1, 2))
    """
    if rho is not None and epsilon is None and delta is None:
        return ZeroConcentratedDP(_positive("rho", rho))
    if epsilon is None or rho is not None:
        raise ParameterError(
            "An answer has one price: `epsilon`, `epsilon` with `delta`, or `rho`.", "name one; there is no default."
        )
    if delta is None:
        return PureDP(_positive("epsilon", epsilon))
    return ApproxDP(_positive("epsilon", epsilon), _positive("delta", delta))


def _positive(name: str, given: Number) -> Fraction:
    """An exact number above 0."""
    number = exact(name, given)
    if number <= 0:
        raise ParameterError(f"`{name}` must be above 0; got {given!r}.", "an answer without a price has no noise.")
    return number


def in_words(event: Event) -> str:
    """A price or event in a few words.

    Example:
        >>> in_words(PureDP(Fraction(1, 2)))
        'epsilon 1/2'
    """
    if isinstance(event, PureDP):
        return f"epsilon {event.epsilon}"
    if isinstance(event, ApproxDP):
        return f"epsilon {event.epsilon}, delta {float(event.delta):.3g}"
    if isinstance(event, ZeroConcentratedDP):
        return f"rho {event.rho}"
    raise ParameterError(f"{type(event).__name__} is no price.", "name an epsilon or a rho.")
