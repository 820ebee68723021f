"""What a person spends: on one question over all times it is asked, and on a whole survey."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.longitudinal.chain import bits_ratio, symbol_ratio
from sfumato.mechanism.local.longitudinal.history import lifetime_epsilon, most_lifetime
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import LUnary
from sfumato.mechanism.local.longitudinal.location import repeated_loss
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA
from sfumato.mechanism.local.several.epsilon import sum_up
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.longitudinal.protocol import Longitudinal


@dataclass(frozen=True, slots=True)
class Spent:
    """Epsilons of one question, in nats, rounded up.

    Args:
        report: of one report.
        steady: of all reports of a person whose answer stays the same, against one whose other answer stays the same.
        lifetime: of all reports, between any two histories of at most as many different answers as are declared that
            change and return at the same moments.
        any_history: of all reports, between any two histories: a bound; infinite where there is none.
    """

    report: float
    steady: float
    lifetime: float
    any_history: float


def spent_afresh(epsilon: float, times: int) -> Spent:
    """A report that is drawn anew each time: all of them add up, whatever the histories are.

    Args:
        epsilon: of one report.
        times: how often it is asked, >= 1.

    Example:
        >>> spent_afresh(0.5, 4).any_history
        2.0
    """
    total = sum_up([epsilon] * times)
    return Spent(epsilon, total, total, total)


def spent_remembering(protocol: Longitudinal, times: int, distinct: int) -> Spent:
    """Reports drawn from remembered answers.

    Proof: `location.repeated_loss` is exact for histories that repeat together; the largest over all ways to share the
    reports among the declared number of answers is found by trying all. For any histories: given what is remembered, the
    ratio of one report is at most that of the second round, whatever the two answers are.

    Args:
        protocol: what is asked.
        times: how often, >= 1.
        distinct: different answers that a person may give, >= 1.

    Example:
        >>> spent = spent_remembering(LGRR(4, 1.0, 2.0), times=30, distinct=2)
        >>> round(spent.steady, 6), round(spent.lifetime, 6), round(spent.any_history, 1)
        (2.0, 4.0, 47.2)
    """
    inputs = min(distinct, protocol.n_inputs)
    if not isinstance(protocol, LGRR | LOLOHA | LUnary):
        life = lifetime_epsilon(protocol, distinct)
        return Spent(protocol.epsilon_first, protocol.epsilon_permanent, life, life if times == 1 else math.inf)

    def loss(n: int) -> float:
        return min(repeated_loss(protocol, np.array([n])), protocol.epsilon_permanent)

    life = min(most_lifetime(loss, times, inputs), lifetime_epsilon(protocol, distinct))
    bound = protocol.epsilon_first if times == 1 else times * _second_round(protocol) * (1 + 1e-12)
    return Spent(protocol.epsilon_first, loss(times), life, max(bound, life))


def _second_round(protocol: LGRR | LOLOHA | LUnary) -> float:
    """Epsilon of one report between any two remembered answers."""
    chain = protocol.chain
    if isinstance(protocol, LUnary):  # q2 = 1 - p2, and the answers may differ in every bit: half a pair of bits each
        return protocol.domain_size * log_up(bits_ratio(chain.p2, chain.q2)) / 2
    return log_up(symbol_ratio(chain.p2, protocol.n_inputs))


def whole(epsilons: Sequence[float], asks: int) -> float:
    """What a person spends on a survey of which each phone asks some questions: the largest `asks` of them together.

    Proof: questions are randomized independently, so the likelihood of all reports is a product and its largest ratio the
    product of the largest ratios; which questions a phone draws does not depend on the answers.

    Args:
        epsilons: of each question.
        asks: questions that a phone asks, 1 … their number.

    Example:
        >>> whole([1.0, 0.5, 2.0], 2)
        3.0
    """
    largest = sorted(epsilons, reverse=True)[:asks]
    return math.inf if math.inf in largest else sum_up(largest)
