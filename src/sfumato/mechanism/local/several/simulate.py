"""What a server would count, over many collections of one table, drawn without persons.

Support counts are sums over persons, so their exact law needs only how many persons hold each value:
binomials and multinomials in place of reports. Attributes are simulated one by one: the law of each
attribute's counts is exact, the dependence between attributes is left out. For experiments, never for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.several.every_attribute import EveryAttribute
from sfumato.mechanism.local.several.rs_fd import RSFD
from sfumato.mechanism.local.several.rs_rfd import RSRFD
from sfumato.mechanism.local.several.scheme import TupleCounts
from sfumato.mechanism.local.several.smp import SMP
from sfumato.mechanism.local.several.spl import SPL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.several.adaptive import BasicOracle
    from sfumato.mechanism.local.several.faked import Faked
    from sfumato.types import IntArray

AnyScheme: TypeAlias = SPL | SMP | RSFD | RSRFD | EveryAttribute


def simulate_counts(
    scheme: AnyScheme, at: int, histogram: IntArray, runs: int, *, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Support counts of one attribute in many independent collections of the same persons.

    Args:
        scheme: any scheme for several attributes.
        at: number of the attribute.
        histogram: (k,) int64, persons who hold each value.
        runs: number of collections, >= 1.
        rng: chance of the experiment.

    Returns:
        (runs, k) int64 support counts, and (runs,) int64 numbers of reports.

    Raises:
        ParameterError: a histogram of another domain. Remedy: count every value of the domain.

    Example:
        >>> from sfumato.mechanism.local.several.adaptive import OracleName
        >>> scheme, rng = SPL(700.0, (2,), OracleName.GRR), np.random.default_rng(1)
        >>> counts, reports = simulate_counts(scheme, 0, np.array([3, 1]), 1, rng=rng)
        >>> counts.tolist(), reports.tolist()
        ([[3, 1]], [4])
    """
    held = np.asarray(histogram, np.int64)
    if held.shape != (scheme.domain_sizes[at],) or np.any(held < 0):
        raise ParameterError(
            "The histogram of attribute {at} must be {domain_sizes} counts >= 0.",
            "count the persons of every value of the domain.",
            at=at,
            domain_sizes=scheme.domain_sizes[at],
        )
    everyone = np.broadcast_to(held, (runs, len(held)))
    match scheme:
        case SPL() | EveryAttribute():
            return _counts(scheme.oracles[at], everyone, rng), everyone.sum(axis=1)
        case SMP():
            asked = rng.binomial(everyone, 1 / len(scheme.oracles))
            return _counts(scheme.oracles[at], asked, rng), asked.sum(axis=1)
        case RSFD() | RSRFD():
            asked = rng.binomial(everyone, 1 / len(scheme.attributes))
            return _faked_counts(scheme.attributes[at], asked, everyone, rng), everyone.sum(axis=1)


def simulate(
    scheme: AnyScheme, histograms: Sequence[IntArray], runs: int, *, rng: np.random.Generator
) -> list[TupleCounts]:
    """What the server counts in each of many collections of the same persons.

    Args:
        scheme: any scheme for several attributes.
        histograms: d arrays (k,) int64, persons who hold each value.
        runs: number of collections, >= 1.
        rng: chance of the experiment.

    Returns:
        One `TupleCounts` for each collection, as `scheme.estimate` takes it.

    Example:
        >>> from sfumato.mechanism.local.several.adaptive import OracleName
        >>> scheme, rng = SPL(700.0, (2,), OracleName.GRR), np.random.default_rng(1)
        >>> [found] = simulate(scheme, [np.array([3, 1])], 1, rng=rng)
        >>> scheme.estimate(found)[0].tolist()
        [0.75, 0.25]
    """
    drawn = [simulate_counts(scheme, at, held, runs, rng=rng) for at, held in enumerate(histograms)]
    return [
        TupleCounts(tuple(counts[run] for counts, _ in drawn), tuple(int(reports[run]) for _, reports in drawn))
        for run in range(runs)
    ]


def _counts(oracle: BasicOracle, held: IntArray, rng: np.random.Generator, nobody: IntArray | int = 0) -> IntArray:
    """Support counts of persons who hold values, and of `nobody` persons a run who hold none."""
    support, k = oracle.support, held.shape[1]
    if isinstance(oracle, GRR):
        moved = rng.binomial(held, min(1.0, k * support.q))
        spread = rng.multinomial(moved.sum(axis=1), np.full(k, 1 / k))
        stayed: IntArray = held - moved + spread
        return stayed
    others = (held.sum(axis=1) + nobody)[:, None] - held
    counts: IntArray = rng.binomial(held, support.p) + rng.binomial(others, support.q)
    return counts


def _faked_counts(attribute: Faked, asked: IntArray, held: IntArray, rng: np.random.Generator) -> IntArray:
    """Support counts of genuine and fake reports together."""
    rest = (held - asked).sum(axis=1)
    if attribute.fakes is None:
        return _counts(attribute.oracle, asked, rng, nobody=rest)
    law = np.array([float(share) for share in attribute.fakes])
    values = rng.multinomial(rest, law / law.sum())
    if isinstance(attribute.oracle, GRR):
        return _counts(attribute.oracle, asked, rng) + values
    return _counts(attribute.oracle, asked + values, rng)
