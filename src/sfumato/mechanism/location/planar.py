"""The planar Laplace law on real numbers: how far from a person the reported position lies.

It is not sampled here: floats have holes that give positions away. `geo_indistinguishable` draws it on cells, exactly; for
cells that are small beside 1/ε its distances are those of this law.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.enclosure import down, log_between
from sfumato.numbers.exact import exact

if TYPE_CHECKING:
    from sfumato.numbers.exact import Exact


def epsilon_per_metre(ratio: Exact, metres: Exact) -> Fraction:
    """The epsilon with which positions `metres` apart make no report more than `ratio` times likelier: ln(ratio)/metres.

    Args:
        ratio: > 1; the paper's example is 4 within 200 m.
        metres: > 0.

    Returns:
        Nats per metre, rounded down to 15 digits: a fraction, so that it can be drawn with exactly.

    Raises:
        ParameterError: a number outside its range.

    Source:
        M. Andrés, N. Bordenabe, K. Chatzikokolakis, C. Palamidessi, "Geo-indistinguishability: differential privacy for
        location-based systems", CCS 2013, section 3 (ε = l/r).

    Example:
        >>> round(float(epsilon_per_metre(4, 200)), 9)
        0.006931472
    """
    times, radius = exact("ratio", ratio), exact("metres", metres)
    if times <= 1 or radius <= 0:
        raise ParameterError(
            "A level needs a ratio above 1 and a radius above 0; got {ratio} and {metres}.",
            "choose such as 4 within 200 metres.",
            ratio=ratio,
            metres=metres,
        )
    return down(log_between(times)[0] / radius)


def lambert_lower(y: float) -> float:
    """The lower branch of Lambert's function: the w <= -1 with w eʷ = y.

    Args:
        y: in [-1/e, 0).

    Returns:
        w, by Halley's iteration on w + ln(-w) = ln(-y), in float64.

    Raises:
        ParameterError: y outside.

    Source:
        R. Corless, G. Gonnet, D. Hare, D. Jeffrey, D. Knuth, "On the Lambert W function", 1996.

    Example:
        >>> round(lambert_lower(-0.1), 12)
        -3.577152063957
    """
    if not -1 / math.e <= y < 0:
        raise ParameterError("The lower branch of Lambert's function needs a number in [-1/e, 0).", "give one.")
    target = math.log(-y)
    if target >= -1:
        return -1.0
    gap = math.sqrt(2 * (-1 - target))
    w = -1 - gap - gap * gap / 3 if target > -3 else target - math.log(-target)
    for _ in range(50):
        error = w + math.log(-w) - target
        slope, bend = 1 + 1 / w, -1 / (w * w)
        step = error / (slope - error * bend / (2 * slope))
        w = min(w - step, -1.0 - 1e-17)
        if abs(step) <= 4e-16 * abs(w):
            break
    return w


@dataclass(frozen=True, slots=True)
class PlanarLaplace:
    """Density ε²/(2π) e^(-ε r) at distance r of the true position.

    Args:
        epsilon: nats per metre, an exact number > 0.

    Raises:
        ParameterError: no number above 0.

    Source:
        Andrés et al., CCS 2013, sections 4.1 and 5: Pr[distance <= r] = 1 - (1 + ε r) e^(-ε r), and the quantile
        -(1/ε) (W₋₁((p - 1)/e) + 1).

    Example:
        >>> law = PlanarLaplace(epsilon_per_metre(4, 200))
        >>> [round(law.quantile(p), 3) for p in (0.5, 0.95)], round(law.within(200), 7), round(law.mean)
        ([242.134, 684.395], 0.4034264, 289)
    """

    epsilon: Exact

    def __post_init__(self) -> None:
        if exact("epsilon", self.epsilon) <= 0:
            raise ParameterError("`epsilon` must be above 0.", "choose such as epsilon_per_metre(4, 200).")

    def within(self, metres: float) -> float:
        """Probability that the report lies at most so far from the truth."""
        x = float(exact("epsilon", self.epsilon)) * max(metres, 0.0)
        return -math.expm1(-x) - x * math.exp(-x)

    def quantile(self, p: float) -> float:
        """Metres within which the report lies with probability p.

        Raises:
            ParameterError: p outside [0, 1). Remedy: 0.95, say.
        """
        if not 0 <= p < 1:
            raise ParameterError("A quantile needs a probability in [0, 1); got {p}.", "use 0.95, say.", p=p)
        return -(lambert_lower(max((p - 1) / math.e, -1 / math.e)) + 1) / float(exact("epsilon", self.epsilon))

    @property
    def mean(self) -> float:
        """Metres on average, 2/ε."""
        return 2 / float(exact("epsilon", self.epsilon))

    @property
    def deviation(self) -> float:
        """Standard deviation of the metres, √2/ε."""
        return math.sqrt(2) / float(exact("epsilon", self.epsilon))
