"""What a lifetime of reports gives away when the value changes: more than its values, when it changed."""

from __future__ import annotations

from math import inf, nextafter
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.guarantee.base import Guarantee
from sfumato.numbers.check import as_whole
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sfumato.mechanism.local.longitudinal.protocol import Longitudinal

_SOURCE = (
    "Ú. Erlingsson et al., RAPPOR, CCS 2014, section 3; H. H. Arcolezi et al., Frequency Estimation of "
    "Evolving Data Under Local Differential Privacy, EDBT 2023; enumerated by this package's tests"
)


def lifetime_epsilon(protocol: Longitudinal, n_distinct: int) -> float:
    """Loss between two histories that repeat at the same moments: min(m, n_inputs) ε∞.

    Each history has m distinct values; the answers to distinct inputs are independent, so the ratio is a
    product of at most m ratios of one remembered answer each. To repeat together: wherever one history has a
    value twice, so has the other (for LOLOHA: of hashes). Other histories lose more, without a bound that is free
    of the number of reports: see `location.history_loss`.

    Args:
        protocol: the memoised protocol.
        n_distinct: m, distinct values that a person has over the lifetime, >= 1.

    Returns:
        epsilon in nats, rounded up.

    Example:
        >>> from sfumato.mechanism.local.longitudinal.l_grr import LGRR
        >>> round(lifetime_epsilon(LGRR(domain_size=4, first=1.0, permanent=2.0), 3), 9)
        6.0
    """
    distinct = min(as_whole("n_distinct", n_distinct, low=1), protocol.n_inputs)
    exact = distinct * protocol.epsilon_permanent
    return exact if distinct == 1 else nextafter(exact, inf)


def any_histories(p1: Fraction, q1: Fraction, n_inputs: int) -> float:
    """Largest finite log-ratio of two histories of remembered randomized response over g inputs: ln(p1²/q1^g).

    It covers only views that both histories can show. Views that one of them cannot show tell them apart
    altogether, and with a fresh second round the loss then grows with the number of reports.

    Proof: a view shows one answer at each moment. Its probability is the product of M[x, y_x] over the
    distinct inputs x of the history, and 0 where one input would need two answers. The ratio of two
    histories is largest where the first has few inputs, all answered truly (each factor p1 < 1), and the
    second passes through all g while each is answered falsely (q1 each). One input in the first gives
    p1/q1^(g-1), since its own value must not be among the second's; two give p1²/q1^g, which is p1/q1
    times more; three give p1 times less again. It is reached by (a, …, a, b, …, b) against a history
    that shows every other input and b while the first shows a, and a while it shows b.
    For g > 2 this exceeds g ε∞ = ln(p1^g/q1^g), which is what publications state for a lifetime.

    Args:
        p1: Pr[the remembered answer is the input].
        q1: Pr[it is a given other input].
        n_inputs: g, >= 2.

    Returns:
        epsilon in nats, rounded up.

    Example:
        >>> from fractions import Fraction
        >>> round(any_histories(Fraction(3, 4), Fraction(1, 4), 2), 6)
        2.197225
    """
    if not 0 < q1 < p1 < 1:
        raise ParameterError(
            "Randomized response needs 0 < q1 < p1 < 1; got {p1} and {q1}.",
            "give its chain's.",
            p1=float(p1),
            q1=float(q1),
        )
    return log_up(p1**2 / q1 ** as_whole("n_inputs", n_inputs, low=2))


def most_lifetime(loss: Callable[[int], float], reports: int, n_distinct: int) -> float:
    """The largest sum of losses over all ways to share reports among at most m distinct inputs.

    Args:
        loss: of n >= 1 reports about one input, such as `location.repeated_loss`.
        reports: t, in all, >= 1.
        n_distinct: m, inputs at most, >= 1.

    Returns:
        max of loss(n_1) + … + loss(n_j) over n_1 + … + n_j = t, j <= m, rounded up.

    Example:
        >>> round(most_lifetime(lambda n: min(n, 2.0), 5, 2), 9)
        4.0
    """
    single = [loss(n) for n in range(1, reports + 1)]
    best = [0.0, *single]
    for _ in range(min(n_distinct, reports) - 1):
        best = [max([best[t], *(best[t - n] + single[n - 1] for n in range(1, t))]) for t in range(reports + 1)]
    return best[reports] if n_distinct == 1 else nextafter(best[reports] * (1 + 2**-48), inf)


def promise(protocol: Longitudinal, n_distinct: int) -> Guarantee:
    """What is promised to a person who has at most m distinct values over the lifetime.

    Args:
        protocol: the memoised protocol.
        n_distinct: m, >= 1.

    Example:
        >>> from sfumato.mechanism.local.longitudinal.l_grr import LGRR
        >>> promise(LGRR(domain_size=4, first=1.0, permanent=2.0), 1).parameters["epsilon_permanent"]
        2.0
    """
    first, permanent = protocol.epsilon_first, protocol.epsilon_permanent
    lifetime = lifetime_epsilon(protocol, n_distinct)
    return Guarantee(
        name="longitudinal local differential privacy",
        statement=(
            f"One report is {first:.6g}-private; all reports about one value, however many, are {permanent:.6g}-private; "
            f"over {n_distinct} distinct values the loss is at most {lifetime:.6g} for histories that repeat together."
        ),
        definition="P[reports | history] <= e^epsilon P[reports | other history] for histories that are equal at the same pairs of moments.",
        parameters={
            "epsilon_first": first,
            "epsilon_permanent": permanent,
            "epsilon_lifetime": lifetime,
            "n_distinct": n_distinct,
        },
        kind="proved",
        source=_SOURCE,
        assumptions=(
            "Remembered answers, or the key they are drawn from, stay secret and are never drawn anew.",
            "When a value changes or returns is not hidden: between histories that do not repeat together the loss grows with the reports.",
            "Other questions about the same person add their own epsilon.",
        ),
    )
