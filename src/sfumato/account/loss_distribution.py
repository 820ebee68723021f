"""Privacy loss distributions of a fixed list of events: the tightest total, through dp-accounting.

The loss of the whole list is the sum of independent losses, one of each event. Each is replaced by one that dominates
it on a grid, so that the (ε, δ) read off the sum is never too small:

- discrete Laplace noise with a sensitivity of 1, or on one total with a whole sensitivity; discrete Gaussian noise
  on one total, σ up to 10⁵: their own loss, rounded up to the grid;
- all other pure and approx events: randomized response, which dominates every (ε, δ)-differentially private pair
  (for δ = 0 it has the loss of discrete Laplace noise with sensitivity 1).

Discrete Laplace noise on several totals is taken as pure, since a proof that one total is the worst case is only known
for Rényi divergences. Discrete Gaussian noise on several totals, and zCDP, have no such distribution.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.account.cost import pure_epsilon
from sfumato.account.event import ApproxDP, Composed, DiscreteGaussianNoise, DiscreteLaplaceNoise
from sfumato.account.gaussian import whole_root
from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.numbers.check import checked_delta
from sfumato.numbers.enclosure import up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.account.event import Event

_STEP = 1e-4
"""The grid, in nats, of a list whose losses add up to few nats."""
_LONGEST = 2**21
"""Most steps on the grid."""
_LARGEST_SIGMA = 10**5
_LEAST_DELTA = Fraction(1, 10**10)
"""Below, what floats lose in a convolution is no longer small beside δ."""
_LOST = Fraction(1, 10**12)
"""More than floats and cut tails lose in δ."""


def flat(events: Iterable[Event]) -> list[Event]:
    """The events, with composed ones taken apart.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> flat([Composed((PureDP(Fraction(1)),))])
        [PureDP(epsilon=Fraction(1, 1))]
    """
    out: list[Event] = []
    for event in events:
        out += flat(event.events) if isinstance(event, Composed) else [event]
    return out


def loss_distribution_epsilon(events: Iterable[Event], delta: str | float | Fraction) -> Fraction:
    """The ε of a fixed list of events by privacy loss distributions, rounded up.

    Args:
        events: all fixed before the first answer.
        delta: in [10⁻¹⁰, 1); 10⁻¹² of it pays for rounding.

    Returns:
        ε >= 0.

    Raises:
        ParameterError: no dp-accounting, a delta outside its range, or an event without a loss distribution. Remedy:
            install the extra `account`, or use another accountant.

    Source:
        D. Sommer, S. Meiser, E. Mohammadi, "Privacy Loss Classes", PoPETs 2019(2); V. Doroshenko et al., "Connect the
        Dots", PoPETs 2022(4); Y. Zhu, J. Dong, Y.-X. Wang, "Optimal Accounting of Differential Privacy via
        Characteristic Function", AISTATS 2022 (dominating pairs compose).

    Example:
        >>> from sfumato.account.event import PureDP
        >>> round(float(loss_distribution_epsilon([PureDP(Fraction(1, 10))] * 100, "1e-6")), 2)
        4.77
    """
    delta = checked_delta(delta)
    if delta < _LEAST_DELTA:
        raise ParameterError(
            "`delta` must be at least 1e-10 for a loss distribution; got {delta:g}.",
            "use another accountant.",
            delta=float(delta),
        )
    counts = Counter(flat(events))
    if not counts:
        return Fraction(0)
    step = _step(counts)
    whole = None
    for event, count in counts.items():
        part = _distribution(event, step).self_compose(count)
        whole = part if whole is None else whole.compose(part)
    found = float(whole.get_epsilon_for_delta(float(delta - _LOST))) if whole is not None else 0.0
    if not math.isfinite(found):
        raise ParameterError("These events have no finite epsilon at this `delta`.", "choose a larger delta.")
    return up(Fraction(found) * (1 + Fraction(1, 10**12)))


def _step(counts: Counter[Event]) -> float:
    """The grid: fine, unless the losses together would need too many steps."""
    total = sum(count * _size(event) for event, count in counts.items())
    return max(_STEP, 2 * total / _LONGEST)


def _size(event: Event) -> float:
    """About the largest loss that matters."""
    if isinstance(event, DiscreteGaussianNoise):
        ratio = float(event.squared_sensitivity / event.squared_scale)
        return ratio / 2 + 12 * math.sqrt(ratio)
    epsilon = event.epsilon if isinstance(event, ApproxDP) else pure_epsilon(event)
    return 0.0 if epsilon is None else float(epsilon)


def _distribution(event: Event, step: float) -> Any:
    """A loss distribution that dominates the event."""
    library = _library()
    if isinstance(event, DiscreteGaussianNoise) and event.coordinates == 1:
        return _gaussian(event, step, library)
    if isinstance(event, DiscreteLaplaceNoise) and _has_own_loss(event):
        return _laplace(1 / float(event.scale), int(event.sensitivity), step, library)
    if isinstance(event, ApproxDP) and event.delta > 0:
        return _randomized_response(float(event.epsilon), float(event.delta), step, library)
    epsilon = pure_epsilon(event)
    if epsilon is None:
        raise ParameterError(
            "{kind} on several totals, or without its noise, has no loss distribution.",
            'use the accountant "zcdp" or "rdp".',
            kind=type(event).__name__,
        )
    return _laplace(float(epsilon), 1, step, library) if epsilon > 0 else library.identity(step)


def _laplace(inverse_scale: float, sensitivity: int, step: float, library: Any) -> Any:
    """The loss of discrete Laplace noise moved by a whole number."""
    rate = math.nextafter(inverse_scale, math.inf)
    return library.from_discrete_laplace_mechanism(
        rate, sensitivity, value_discretization_interval=step, use_connect_dots=True
    )


def _has_own_loss(event: DiscreteLaplaceNoise) -> bool:
    """Whether its loss is that of one total moved by a whole number > 0.

    With a sensitivity of 1 only one total moves, however many there are.
    """
    whole = Fraction(event.sensitivity).denominator == 1 and event.sensitivity > 0
    return whole and (event.coordinates == 1 or event.sensitivity == 1)


def _gaussian(event: DiscreteGaussianNoise, step: float, library: Any) -> Any:
    """The loss of discrete Gaussian noise moved by the whole part of its sensitivity."""
    shift, sigma = whole_root(Fraction(event.squared_sensitivity)), math.sqrt(event.squared_scale)
    if sigma > _LARGEST_SIGMA:
        raise ParameterError(
            "The loss distribution of Gaussian noise is made up to σ = {largest_sigma}; this one has {sigma:g}.",
            'count in a coarser unit, or use the accountant "zcdp".',
            largest_sigma=_LARGEST_SIGMA,
            sigma=sigma,
        )
    if shift == 0:
        return library.identity(step)
    bound = max(math.ceil(11.6 * sigma), shift) + 1
    return library.from_discrete_gaussian_mechanism(
        sigma, shift, truncation_bound=bound, value_discretization_interval=step, use_connect_dots=True
    )


def _randomized_response(epsilon: float, failure: float, step: float, library: Any) -> Any:
    """The loss that dominates every (ε, δ)-differentially private pair."""
    from dp_accounting.pld.common import DifferentialPrivacyParameters

    parameters = DifferentialPrivacyParameters(math.nextafter(epsilon, math.inf), math.nextafter(failure, 1))
    return library.from_privacy_parameters(parameters, value_discretization_interval=step)


def _library() -> Any:
    """The module of dp-accounting, imported when it is needed.

    Raises:
        ParameterError: it is not installed. Remedy: install the extra.
    """
    with Needs("account", "Loss distributions need the package dp-accounting."):
        from dp_accounting.pld import privacy_loss_distribution
    return privacy_loss_distribution
