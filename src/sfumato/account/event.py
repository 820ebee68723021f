"""Events: what happened, apart from how it is counted; and prices, which are events that are asked for.

An event is a file format: a class is never removed and never changes meaning; a reader that meets an unknown
one must refuse it. All numbers are exact fractions.
"""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import LedgerError, ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.table.values import Item, Table


@dataclass(frozen=True, slots=True)
class PureDP:
    """A mechanism that is ε-differentially private, of which nothing more is known. epsilon >= 0, in nats."""

    epsilon: Fraction

    def __post_init__(self) -> None:
        _at_least_zero(self)


@dataclass(frozen=True, slots=True)
class ApproxDP:
    """A mechanism that is (ε, δ)-differentially private. epsilon >= 0, 0 <= delta < 1."""

    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        _at_least_zero(self)
        if self.delta >= 1:
            raise ParameterError(
                "`delta` must be below 1; got {delta}.",
                "choose a delta far below 1 / (number of persons).",
                delta=self.delta,
            )


@dataclass(frozen=True, slots=True)
class ZeroConcentratedDP:
    """A mechanism that is ρ-zero-concentrated differentially private. rho >= 0."""

    rho: Fraction

    def __post_init__(self) -> None:
        _at_least_zero(self)


@dataclass(frozen=True, slots=True)
class DiscreteLaplaceNoise:
    """Discrete Laplace noise on whole numbers: P(x) ∝ e^(-|x|/scale), for totals of L1 sensitivity `sensitivity`.

    ε = sensitivity / scale. `coordinates` says over how many totals the sensitivity is spread (1: a single one).
    """

    scale: Fraction
    sensitivity: Fraction
    coordinates: int = 1

    def __post_init__(self) -> None:
        _at_least_zero(self)
        _positive_scale(self.scale)


@dataclass(frozen=True, slots=True)
class DiscreteGaussianNoise:
    """Discrete Gaussian noise on whole numbers: P(x) ∝ e^(-x²/2σ²), for totals of squared L2 sensitivity.

    ρ = squared_sensitivity / (2 · squared_scale). `squared_scale` is σ².
    """

    squared_scale: Fraction
    squared_sensitivity: Fraction
    coordinates: int = 1

    def __post_init__(self) -> None:
        _at_least_zero(self)
        _positive_scale(self.squared_scale)


@dataclass(frozen=True, slots=True)
class Composed:
    """Several events on the same persons, whose parameters were all fixed before the first answer."""

    events: tuple[Event, ...]


Event = PureDP | ApproxDP | ZeroConcentratedDP | DiscreteLaplaceNoise | DiscreteGaussianNoise | Composed

Price: TypeAlias = PureDP | ApproxDP | ZeroConcentratedDP
"""PureDP: discrete Laplace noise. ZeroConcentratedDP and ApproxDP: discrete Gaussian noise."""


def to_data(event: Event) -> dict[str, Item]:
    """The event as plain data for JSON: its class name, and its numbers as texts "a/b".

    Example:
        >>> to_data(PureDP(Fraction(1, 2)))
        {'event': 'PureDP', 'epsilon': '1/2'}
    """
    if isinstance(event, Composed):
        return {"event": "Composed", "events": [to_data(part) for part in event.events]}
    numbers = {field.name: str(getattr(event, field.name)) for field in fields(event)}
    return {"event": type(event).__name__, **numbers}


def numbers_of(event: Event) -> tuple[Fraction, ...]:
    """All numbers of an event, those of its parts included.

    Example:
        >>> numbers_of(Composed((PureDP(Fraction(1, 2)), PureDP(Fraction(1, 3)))))
        (Fraction(1, 2), Fraction(1, 3))
    """
    if isinstance(event, Composed):
        return tuple(number for part in event.events for number in numbers_of(part))
    return tuple(Fraction(getattr(event, field.name)) for field in fields(event))


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


def from_data(data: Table) -> Event:
    """The event that `to_data` wrote.

    Raises:
        LedgerError: an unknown class or keys. Remedy: read it with the version that wrote it.

    Example:
        >>> from_data({"event": "PureDP", "epsilon": "1/2"})
        PureDP(epsilon=Fraction(1, 2))
    """
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LedgerError(
            "Event {event!r} is not one that this version knows.",
            "read this ledger with the version of Sfumato that wrote it.",
            event=data.get("event"),
        ) from error


def _read(data: Table) -> Event:
    """The event, or any of Python's own errors."""
    name = str(data["event"])
    if name == "Composed":
        return Composed(tuple(from_data(part) for part in data["events"]))  # type: ignore[union-attr, arg-type]
    kinds: dict[str, type[Event]] = {
        kind.__name__: kind
        for kind in (PureDP, ApproxDP, ZeroConcentratedDP, DiscreteLaplaceNoise, DiscreteGaussianNoise)
    }
    numbers = {key: value for key, value in data.items() if key != "event"}
    if set(numbers) != {field.name for field in fields(kinds[name])}:
        raise KeyError(name)
    exact = {key: int(str(v)) if key == "coordinates" else Fraction(str(v)) for key, v in numbers.items()}
    return kinds[name](**exact)  # type: ignore[arg-type]


def _at_least_zero(event: Event) -> None:
    """Refuse numbers that are no fractions >= 0."""
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, bool) or not isinstance(value, Fraction | int) or value < 0:
            raise ParameterError(
                "`{name}` of {kind} must be an exact fraction, at least 0; got {value!r}.",
                "give a Fraction (a float may stand for another number than was meant).",
                name=field.name,
                kind=type(event).__name__,
                value=value,
            )


def _positive_scale(scale: Fraction) -> None:
    """Refuse noise of scale 0, which hides nothing."""
    if scale <= 0:
        raise ParameterError("The scale of a noise must be above 0.", "give a positive scale.")
