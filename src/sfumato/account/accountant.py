"""A fixed list of events as (ε, δ): five ways to count, side by side.

All are upper bounds, so the smallest is true. They hold for a list that was fixed before the first answer; an adaptive
ledger adds up costs instead (`odometer`), or charges a whole list at once as a `Batch`.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from sfumato.account.budget import Measure
from sfumato.account.concentrated import cdp_epsilon
from sfumato.account.cost import concentrated_rho, pure_epsilon, renyi_of, unsupported
from sfumato.account.event import ApproxDP, DiscreteGaussianNoise, DiscreteLaplaceNoise
from sfumato.account.gaussian import gaussian_epsilon
from sfumato.account.loss_distribution import flat, loss_distribution_epsilon
from sfumato.account.pure import basic_composition, optimal_composition
from sfumato.account.renyi import epsilon_at_order, order_for
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import checked_delta

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.account.event import Event

Accountant: TypeAlias = Literal["pld", "kov", "rdp", "zcdp", "basic"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one accountant says.

    Args:
        accountant: its name.
        epsilon: ε at the asked δ, rounded up; None where it cannot count the list.
        note: how it counts, or why it cannot.
    """

    accountant: Accountant
    epsilon: Fraction | None
    note: str


@dataclass(frozen=True, slots=True)
class Batch:
    """A list of events that is declared, and charged, as one.

    A total by privacy loss distribution is smaller than a sum of costs, but it is no filter: it is computed from the
    losses of *all* events, so it is only true if none of them was chosen after seeing an answer to another, and stopping
    early or asking one more question would need the whole computation again, at a δ that was already spent. A batch
    fixes the list first. Then the whole is one (ε, δ)-differentially private event, and an adaptive ledger adds it to
    what came before like any other.

    Args:
        events: all answers of the batch, at least one; their parameters are fixed before the first is given.
        delta: in (0, 1).
        accountant: who counts.

    Raises:
        ParameterError: an empty list, a delta outside (0, 1) or an unknown accountant. Remedy: see the message.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> batch = Batch((PureDP(Fraction(1, 10)),) * 100, Fraction(1, 10**6), "kov")
        >>> round(float(batch.event.epsilon), 3)
        4.775
    """

    events: tuple[Event, ...]
    delta: Fraction
    accountant: Accountant

    def __post_init__(self) -> None:
        checked_delta(self.delta)
        _known(self.accountant)
        if not self.events:
            raise ParameterError("A batch has at least one event.", "declare what will be answered.")

    @property
    def event(self) -> ApproxDP:
        """The batch as one event."""
        return ApproxDP(epsilon_of(self.events, self.delta, self.accountant), self.delta)


def epsilon_of(events: Iterable[Event], delta: str | float | Fraction, accountant: Accountant) -> Fraction:
    """The ε with which a fixed list of events is (ε, δ)-differentially private, rounded up.

    Args:
        events: all fixed before the first answer; composed ones are taken apart.
        delta: in (0, 1).
        accountant: "pld" privacy loss distributions (needs the extra `account`; δ >= 10⁻¹⁰), "kov" optimal
            composition of pure and approx events, "rdp" Rényi at the best order, "zcdp" the sum of ρ, "basic" sums.

    Raises:
        ParameterError: a delta outside its range, an unknown accountant, or an event that it cannot count. Remedy:
            use one that can (`compare` tells which).

    Example:
        >>> from sfumato.account.event import DiscreteGaussianNoise
        >>> round(float(epsilon_of([DiscreteGaussianNoise(Fraction(100), Fraction(1))] * 4, "1e-6", "zcdp")), 3)
        0.9
    """
    listed, target = flat(events), checked_delta(delta)
    _known(accountant)
    if not listed:
        return Fraction(0)
    counters = {"pld": loss_distribution_epsilon, "kov": _optimal, "rdp": _renyi, "zcdp": _concentrated}
    return counters.get(accountant, _basic)(listed, target)


def compare(events: Iterable[Event], delta: str | float | Fraction) -> tuple[Reading, ...]:
    """What every accountant says about a fixed list, the smallest ε first, those that cannot count it last.

    Args:
        events: all fixed before the first answer.
        delta: in (0, 1).

    Raises:
        ParameterError: a delta outside (0, 1). Remedy: choose one far below 1 / (number of persons).

    Example:
        >>> from sfumato.account.event import PureDP
        >>> for reading in compare([PureDP(Fraction(1, 10))] * 100, "1e-6")[-2:]:
        ...     print(reading.accountant, round(float(reading.epsilon), 2))
        zcdp 5.22
        basic 10.0
    """
    listed, target = flat(events), checked_delta(delta)
    readings = [_read(listed, target, name) for name in get_args(Accountant)]
    return tuple(sorted(readings, key=lambda r: math.inf if r.epsilon is None else r.epsilon))


def as_approx(event: Event, *, delta: str | float | Fraction) -> ApproxDP:
    """The event as (ε, δ)-differential privacy at a δ that is chosen by the caller; ε is rounded up.

    Pure events keep δ = 0. Discrete Gaussian noise on one total is converted exactly, on several totals and in every
    composition through zero-concentrated differential privacy.

    Args:
        event: any event that is pure or concentrated; an ApproxDP is returned as it is if its δ is no larger.
        delta: in (0, 1).

    Raises:
        ParameterError: a delta outside (0, 1), or an event that cannot be converted at it. Remedy: choose a larger
            delta, or charge the parts one by one.

    Example:
        >>> from sfumato.account.event import ZeroConcentratedDP
        >>> event = as_approx(ZeroConcentratedDP(Fraction(1, 2)), delta="1e-6")
        >>> round(float(event.epsilon), 4), event.delta
        (5.2215, Fraction(1, 1000000))
    """
    delta = checked_delta(delta)
    epsilon, rho = pure_epsilon(event), concentrated_rho(event)
    if epsilon is not None:
        return ApproxDP(epsilon, Fraction(0))
    if isinstance(event, ApproxDP) and event.delta <= delta:
        return event
    if isinstance(event, DiscreteGaussianNoise) and event.coordinates == 1:
        return ApproxDP(gaussian_epsilon(delta, event.squared_scale, event.squared_sensitivity), delta)
    if rho is not None:
        return ApproxDP(cdp_epsilon(rho, delta), delta)
    raise unsupported(event, Measure.ZCDP)


_NOTES: dict[Accountant, str] = {
    "pld": "privacy loss distributions: each noise by its own law",
    "kov": "optimal composition: only each ε and δ is used",
    "rdp": "Rényi divergence at the best order",
    "zcdp": "sum of ρ",
    "basic": "sum of ε and of δ; holds for adaptive questions too",
}


def _read(events: Sequence[Event], delta: Fraction, accountant: Accountant) -> Reading:
    """One line of the comparison."""
    try:
        return Reading(accountant, epsilon_of(events, delta, accountant), _NOTES[accountant])
    except ParameterError as error:
        return Reading(accountant, None, error.problem)


def _known(accountant: Accountant) -> None:
    """Refuse unknown names."""
    if accountant not in get_args(Accountant):
        names = ", ".join(get_args(Accountant))
        raise ParameterError(
            "Unknown accountant {accountant!r}.", "use one of {names}.", accountant=accountant, names=names
        )


def _split(events: Sequence[Event], accountant: Accountant) -> tuple[list[Fraction], list[Fraction]]:
    """All ε and all δ of pure and approx events."""
    pairs = []
    for event in events:
        epsilon = pure_epsilon(event)
        if isinstance(event, ApproxDP):
            pairs.append((event.epsilon, event.delta))
        elif epsilon is not None:
            pairs.append((epsilon, Fraction(0)))
        else:
            raise _cannot(accountant, event)
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _basic(events: Sequence[Event], delta: Fraction) -> Fraction:
    """Σ ε, if Σ δ <= delta."""
    epsilons, failures = _split(events, "basic")
    if sum(failures) > delta:
        raise ParameterError("The events' own `delta` add up to more than the asked one.", "choose a larger delta.")
    return basic_composition(epsilons)


def _optimal(events: Sequence[Event], delta: Fraction) -> Fraction:
    """Optimal composition at the δ that is left: 1 - δ = (1 - δ') Π (1 - δ_i).

    Source:
        P. Kairouz, S. Oh, P. Viswanath, ICML 2015, theorem 3.3.
    """
    epsilons, failures = _split(events, "kov")
    kept = math.prod((1 - failure for failure in failures), start=Fraction(1))
    left = 1 - (1 - delta) / kept
    if left > 0:
        return optimal_composition(epsilons, left)
    return _basic(events, delta)


def _concentrated(events: Sequence[Event], delta: Fraction) -> Fraction:
    """Σ ρ, converted."""
    total = Fraction(0)
    for event in events:
        rho = concentrated_rho(event)
        if rho is None:
            raise _cannot("zcdp", event)
        total += rho
    return cdp_epsilon(total, delta)


def _renyi(events: Sequence[Event], delta: Fraction) -> Fraction:
    """Σ D_α at the best α."""
    counts = Counter(events)
    for event in counts:
        if concentrated_rho(event) is None:
            raise _cannot("rdp", event)
    order = order_for(lambda a: sum(n * _curve(event, a) for event, n in counts.items()), delta)
    total = sum((n * renyi_of(event, order) for event, n in counts.items()), Fraction(0))
    return epsilon_at_order(order, total, delta) if total > 0 else Fraction(0)


def _curve(event: Event, order: float) -> float:
    """D_α in floats, for the search only: that of Laplace noise, of randomized response, or αρ."""
    epsilon = pure_epsilon(event)
    if epsilon is None:
        return order * float(concentrated_rho(event) or 0)
    e, a = float(epsilon), order
    if isinstance(event, DiscreteLaplaceNoise) and event.sensitivity > 1:
        inner = (a + (a - 1) * math.exp(-(2 * a - 1) * e)) / (2 * a - 1)
    else:
        inner = (1 + math.exp(-(2 * a - 1) * e)) / (1 + math.exp(-e))
    return e + math.log(inner) / (a - 1)


def _cannot(accountant: Accountant, event: Event) -> ParameterError:
    """An event that an accountant has no formula for."""
    return ParameterError(
        "The accountant {accountant!r} cannot count {kind}.",
        "use one that can: see `compare`.",
        accountant=accountant,
        kind=type(event).__name__,
    )
