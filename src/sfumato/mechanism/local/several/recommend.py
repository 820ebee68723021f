"""The schemes by their errors, when all keep the same true epsilon.

The comparison that papers draw is between schemes of the same *stated* epsilon. Here each scheme is
calibrated so that its exact epsilon, toward the neighbors that are to be protected against, is the asked one,
and exact variances are compared.
"""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.several.adaptive import greatest_of
from sfumato.mechanism.local.several.catalog import LABELS, scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration, Epsilons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.several.simulate import AnyScheme
    from sfumato.types import FloatArray


class Neighbors(Enum):
    """Which two persons must be hard to tell apart."""

    WHOLE_RECORD = "whole record"
    """They may differ in every attribute."""
    ONE_ATTRIBUTE = "one attribute"
    """They differ in one attribute; what several attributes say together is protected less."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scheme in the comparison.

    Args:
        label: its name.
        scheme: calibrated to the asked epsilon.
        epsilons: what it promises, exactly.
        worst: greatest variance of any attribute's value; for unknown shares also over all shares.
        mean: variances averaged over values, then attributes (MSE_avg); for unknown shares their greatest.
    """

    label: str
    scheme: AnyScheme
    epsilons: Epsilons
    worst: float
    mean: float


def recommend(
    epsilon: float,
    domain_sizes: Sequence[int],
    n: int,
    *,
    neighbors: Neighbors,
    frequencies: Sequence[FloatArray] | None = None,
    priors: Sequence[Sequence[float]] | None = None,
) -> list[Candidate]:
    """All schemes at equal true epsilon, the least worst variance first.

    Args:
        epsilon: what each scheme must truly keep, > 0.
        domain_sizes: number of values of each attribute, >= 2.
        n: number of persons, >= 1.
        neighbors: whom it must keep it against.
        frequencies: d arrays (k,) float64, shares that are expected; None: unknown, the worst counts.
        priors: for RS+RFD, the public shares that fakes follow; None: it is left out.

    Returns:
        Candidates in rising order of `worst`, equal ones in rising order of `mean`.

    Raises:
        ParameterError: a number outside its range. Remedy: give them inside.

    Example:
        >>> best = recommend(1.0, (3, 4), 1000, neighbors=Neighbors.WHOLE_RECORD)[0]
        >>> best.label
        'SMP[GRR]'
    """
    if n < 1:
        raise ParameterError("A comparison needs at least one person; got n={n}.", "give the number of persons.", n=n)
    is_whole = neighbors is Neighbors.WHOLE_RECORD
    make = partial(
        scheme_by_label,
        epsilon=epsilon,
        domain_sizes=domain_sizes,
        calibration=Calibration.TUPLE_LEVEL if is_whole else Calibration.ONE_ATTRIBUTE,
        priors=priors,
    )
    left_out = "every attribute" if is_whole else "SPL"
    labels = [label for label in LABELS if not label.startswith(left_out) and (priors or "RFD" not in label)]
    candidates = [_judged(make(label), n, frequencies) for label in labels]
    return sorted(candidates, key=lambda candidate: (candidate.worst, candidate.mean))


def _judged(scheme: AnyScheme, n: int, frequencies: Sequence[FloatArray] | None) -> Candidate:
    each = _greatest_variances(scheme, n) if frequencies is None else scheme.variance(frequencies, n)
    worst, mean = max(float(v.max()) for v in each), float(np.mean([v.mean() for v in each]))
    return Candidate(scheme.label, scheme, scheme.epsilons, worst, mean)


def _greatest_variances(scheme: AnyScheme, n: int) -> list[FloatArray]:
    """Arrays (k,) for each attribute: the greatest variance of each value over all shares that it may have."""
    at = [scheme.variance([np.full(k, share) for k in scheme.domain_sizes], n) for share in (0.0, 0.5, 1.0)]
    return [greatest_of(*each) for each in zip(*at, strict=True)]
