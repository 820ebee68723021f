"""The oracle of each attribute: the one whose exact variance is least (ADP)."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.oracle import variance
from sfumato.mechanism.local.oue import OUE
from sfumato.mechanism.local.sue import SUE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.types import FloatArray

BasicOracle: TypeAlias = GRR | SUE | OUE
T = TypeVar("T")


class OracleName(Enum):
    """The basic oracles."""

    GRR = "GRR"
    SUE = "SUE"
    OUE = "OUE"


class Rule(Enum):
    """What "least variance" means while the shares are unknown."""

    RARE_VALUES = "rare values"
    """Variance at f = 0, as the papers choose: GRR iff k < 3e^ε + 2, else OUE."""
    WORST_CASE = "worst case"
    """Greatest variance over all f in [0, 1]."""


def make_oracle(name: OracleName, epsilon: float, domain_size: int) -> BasicOracle:
    """A basic oracle by its name.

    Example:
        >>> make_oracle(OracleName.GRR, 1.0, 4).name
        'GRR'
    """
    match name:
        case OracleName.GRR:
            return GRR(epsilon, domain_size)
        case OracleName.SUE:
            return SUE(epsilon, domain_size)
        case OracleName.OUE:
            return OUE(epsilon, domain_size)


def greatest_of(at_0: FloatArray, at_half: FloatArray, at_1: FloatArray) -> FloatArray:
    """The greatest values on [0, 1] of variances, which are polynomials of degree <= 2 in the share f.

    Each is known from its values at 0, 1/2 and 1; the vertex counts when it lies between.

    Args:
        at_0: (m,) float64, variances at f = 0.
        at_half: (m,) float64, at f = 1/2.
        at_1: (m,) float64, at f = 1.

    Example:
        >>> greatest_of(np.array([0.0]), np.array([0.25]), np.array([0.0])).tolist()
        [0.25]
    """
    square = 2 * (at_0 - 2 * at_half + at_1)
    slope = at_1 - at_0 - square
    bent = np.where(square < 0, square, -np.inf)
    vertex = np.clip(-slope / (2 * bent), 0, 1)
    out: FloatArray = np.maximum(np.maximum(at_0, at_1), at_0 + vertex * (slope + vertex * np.minimum(square, 0)))
    return out


def least_variance(candidates: Sequence[T], variances: Callable[[T, FloatArray], FloatArray], rule: Rule) -> T:
    """The candidate with the least variance; the first among equals.

    Args:
        candidates: at least one.
        variances: variance of a candidate at (m,) shares.
        rule: which shares count.

    Example:
        >>> least_variance([3.0, 2.0], lambda c, f: c * (1 + f), Rule.WORST_CASE)
        2.0
    """
    if rule is Rule.RARE_VALUES:
        return min(candidates, key=lambda candidate: float(variances(candidate, np.zeros(1))[0]))
    shares = np.array([0.0, 0.5, 1.0])
    return min(candidates, key=lambda candidate: float(greatest_of(*variances(candidate, shares))))


def choose_oracle(epsilon: float, domain_size: int, rule: Rule) -> BasicOracle:
    """The basic oracle with the least exact variance for one attribute.

    Args:
        epsilon: of its report.
        domain_size: k >= 2.
        rule: what counts.

    Source:
        H. Arcolezi et al., CIKM 2021 (ADP), for `Rule.RARE_VALUES`.

    Example:
        >>> choose_oracle(1.0, 10, Rule.RARE_VALUES).name, choose_oracle(1.0, 11, Rule.RARE_VALUES).name
        ('GRR', 'OUE')
    """
    candidates = [make_oracle(name, epsilon, domain_size) for name in OracleName]
    return least_variance(candidates, lambda oracle, f: variance(f, 1, oracle.support), rule)


def oracles_for(choice: OracleName | Rule, epsilon: float, domain_sizes: Sequence[int]) -> tuple[BasicOracle, ...]:
    """One oracle for each attribute: a named one, or the best by a rule.

    Example:
        >>> [oracle.name for oracle in oracles_for(Rule.RARE_VALUES, 1.0, (2, 50))]
        ['GRR', 'OUE']
    """
    by_size = {size: _oracle(choice, epsilon, size) for size in set(domain_sizes)}
    return tuple(by_size[size] for size in domain_sizes)


def choice_label(choice: Enum) -> str:
    """How a choice is named beside its scheme: ADP for the papers' rule.

    Example:
        >>> choice_label(Rule.RARE_VALUES), choice_label(OracleName.GRR)
        ('ADP', 'GRR')
    """
    if choice is Rule.WORST_CASE:
        return "ADP worst case"
    return "ADP" if choice is Rule.RARE_VALUES else str(choice.value)


def _oracle(choice: OracleName | Rule, epsilon: float, domain_size: int) -> BasicOracle:
    if isinstance(choice, Rule):
        return choose_oracle(epsilon, domain_size, choice)
    if isinstance(choice, OracleName):
        return make_oracle(choice, epsilon, domain_size)
    raise ParameterError("The oracle must be an OracleName or a Rule.", "give, for example, OracleName.GRR.")
