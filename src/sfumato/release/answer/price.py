"""Prices as they are named: an epsilon, an epsilon with a delta, or a rho, with a confidence and the name of a request."""

from __future__ import annotations

from difflib import get_close_matches
from fractions import Fraction
from functools import wraps
from inspect import Parameter, signature
from math import isqrt
from typing import TYPE_CHECKING, ParamSpec, TypeAlias, TypedDict, TypeVar

from sfumato.account.event import ApproxDP, PureDP, ZeroConcentratedDP, checked_price
from sfumato.errors import ParameterError, PlanError
from sfumato.mechanism.central.additive import each_confidence
from sfumato.numbers.exact import bounded, exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.account.event import Price
    from sfumato.document.trace_statistics import PriceTable

Number: TypeAlias = "str | float | Fraction"

_Terms = ParamSpec("_Terms")
_Result = TypeVar("_Result")

CONFIDENCE = 0.95
"""Of each interval, where nobody says another."""

_FINE = 10**9


class Offer(TypedDict, total=False):
    """Exactly one price must be there: `epsilon`, `epsilon` with `delta`, or `rho`.

    Args:
        epsilon: pure price; with `delta`, approximate.
        delta: of an approximate price.
        rho: zero-concentrated price.
        confidence: of each interval, 0.95 if absent.
        request: name of the question in the ledger; absent: made of the question itself.
    """

    epsilon: str | float | Fraction
    delta: str | float | Fraction
    rho: str | float | Fraction
    confidence: float
    request: str


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
        return checked_price(ZeroConcentratedDP(_positive("rho", rho)))
    if epsilon is None or rho is not None:
        raise ParameterError(
            "An answer has one price: `epsilon`, `epsilon` with `delta`, or `rho`.", "name one; there is no default."
        )
    if delta is None:
        return checked_price(PureDP(_positive("epsilon", epsilon)))
    return checked_price(ApproxDP(_positive("epsilon", epsilon), _positive("delta", delta)))


def offered(offer: Offer) -> Price:
    """The price in an offer."""
    return price_of(offer.get("epsilon"), offer.get("delta"), offer.get("rho"))


def price_in(said: PriceTable) -> Price:
    """The price in a plan."""
    return price_of(said.epsilon, said.delta, said.rho)


def pure_in(said: PriceTable) -> PureDP:
    """The price in a plan of what is paid by a pure epsilon.

    Raises:
        PlanError: another price. Remedy: name an epsilon alone.
    """
    price = price_in(said)
    if not isinstance(price, PureDP):
        raise PlanError("This statistic is paid by a pure epsilon.", "give `price = {{ epsilon = 1 }}`, say.")
    return price


def shown_confidence(given: Number) -> float:
    """A confidence as the number that answers show.

    Raises:
        ParameterError: it is not in (0, 1).

    Example:
        >>> shown_confidence("9/10")
        0.9
    """
    shown = float(exact("confidence", given))
    each_confidence(shown, 1)
    return shown


def names_of(request: str | None, n: int) -> list[str | None]:
    """Names of the requests of one statement with n answers.

    Example:
        >>> names_of("ages", 2), names_of("ages", 1), names_of(None, 2)
        (['ages (1 of 2)', 'ages (2 of 2)'], ['ages'], [None, None])
    """
    if request is None or n == 1:
        return [request] * n
    return [f"{request} ({i + 1} of {n})" for i in range(n)]


def pure_part(price: Price) -> PureDP:
    """The largest pure price that costs no more, for mechanisms that are pure by nature.

    An ε-private mechanism is ε²/2-zero-concentrated, so ρ buys ε = √(2ρ), rounded down; of (ε, δ) the δ is not spent.

    Example:
        >>> pure_part(ZeroConcentratedDP(Fraction(1, 2)))
        PureDP(epsilon=Fraction(1, 1))
    """
    if isinstance(price, ZeroConcentratedDP):
        return PureDP(Fraction(isqrt(int(2 * price.rho * _FINE**2)), _FINE))
    return PureDP(price.epsilon)


def in_words(price: Price) -> str:
    """A price in a few words, exactly: different prices have different words.

    Example:
        >>> in_words(PureDP(Fraction(1, 2)))
        'epsilon 1/2'
        >>> in_words(ApproxDP(Fraction(1), Fraction("1.0001e-6")))
        'epsilon 1, delta 10001/10000000000'
    """
    if isinstance(price, PureDP):
        return f"epsilon {price.epsilon}"
    if isinstance(price, ZeroConcentratedDP):
        return f"rho {price.rho}"
    return f"epsilon {price.epsilon}, delta {price.delta}"


def keys_of(price: Price) -> dict[str, str]:
    """A price as the keys of an offer, or of a plan.

    Example:
        >>> keys_of(ApproxDP(Fraction(1), Fraction(1, 10)))
        {'epsilon': '1', 'delta': '1/10'}
    """
    names = ("epsilon", "delta", "rho")
    return {name: str(getattr(price, name)) for name in names if hasattr(price, name)}


def known_only(method: Callable[_Terms, _Result]) -> Callable[_Terms, _Result]:
    """A method with `**offer: Unpack[Offer]` that refuses every keyword which is neither its own nor of an offer.

    Python itself would accept any, and a question whose `by` or `where` is misspelt would be answered for everybody.

    Raises:
        TypeError: from the method, for an unknown keyword. Remedy: the nearest name, which the message tells.

    Example:
        >>> @known_only
        ... def count(*, where=(), **offer):
        ...     return sorted(offer)
        >>> count(where=(), epsilon=1)
        ['epsilon']
        >>> count(were=(), epsilon=1)
        Traceback (most recent call last):
        TypeError: count() takes no keyword 'were': did you mean 'where'? It takes confidence, delta, epsilon, request, rho, where.
    """
    parameters = list(signature(method).parameters.values())
    named = {p.name for p in parameters if p.kind in {Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY}}
    known = sorted((named | set(Offer.__annotations__)) - {"self"})

    @wraps(method)
    def strict(*given: _Terms.args, **words: _Terms.kwargs) -> _Result:
        for word in words:
            if word not in known:
                near = get_close_matches(word, known, 1)
                meant = f" did you mean {near[0]!r}?" if near else ""
                takes = f"{' It' if near else ' it'} takes {', '.join(known)}."
                raise TypeError(f"{method.__name__}() takes no keyword {word!r}:{meant}{takes}")
        return method(*given, **words)

    return strict


def _positive(name: str, given: Number) -> Fraction:
    """An exact number above 0."""
    number = bounded(name, given)
    if number <= 0:
        raise ParameterError(
            "`{name}` must be above 0; got {given!r}.",
            "an answer without a price has no noise.",
            name=name,
            given=given,
        )
    return number
