"""The frequency oracles for one attribute, compared by their exact variance at the same exact epsilon.

The mean variance over the k values is Var(0) + (1-p-q)/(n (p-q) k): the same for every distribution, so it is
its own worst case and decides when nothing is known. With a prior, the least accurate value under it
decides. Everything is plain data, for tables and pictures.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.oracle import variance
from sfumato.mechanism.local.registry import oracles
from sfumato.numbers.check import as_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.oracle import FrequencyOracle
    from sfumato.table.values import Item
    from sfumato.types import FloatArray


class By(Enum):
    """Which variance decides."""

    MEAN = "mean"
    """The mean over the values, which every distribution has alike."""
    WORST = "worst"
    """The largest of one value: at f = 0 or f = 1 (it is linear in f), or of the prior's shares."""
    RARE = "rare"
    """That of a value nobody has, f = 0: the approximation of most papers, and of the seed."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one oracle would give.

    Args:
        name: of the oracle.
        epsilon: its exact epsilon, at most the asked one.
        worst: largest variance of an estimated share.
        mean: mean variance over the values; its sum over the values is the expected squared error.
        rare: variance of a value nobody has.
        bits_per_report: payload of one report, without the header.
        bytes_per_report: the same in whole bytes, when reports travel one by one.
        client_draws: random numbers (coins, bytes, integers) that a device draws for a report, about.
        server_steps: elementary steps of the server for a report, about.
    """

    name: str
    epsilon: float
    worst: float
    mean: float
    rare: float
    bits_per_report: int
    bytes_per_report: int
    client_draws: int
    server_steps: int

    def by(self, by: By) -> float:
        """The variance that decides."""
        return {By.WORST: self.worst, By.MEAN: self.mean, By.RARE: self.rare}[by]


@dataclass(frozen=True, slots=True)
class Choice:
    """The oracles for one attribute, the best first.

    Args:
        domain_size: number of values k.
        n: number of persons.
        epsilon: asked.
        by: which variance decided.
        candidates: from the least variance to the largest; equal ones by the size of a report.
    """

    domain_size: int
    n: int
    epsilon: float
    by: By
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The oracle with the least variance."""
        return self.candidates[0]

    def smallest_within(self, slack: float) -> Candidate:
        """The oracle with the smallest report whose variance is at most (1 + slack) times the least one."""
        limit = (1 + slack) * self.best.by(self.by)
        return min((c for c in self.candidates if c.by(self.by) <= limit), key=lambda c: c.bits_per_report)


def recommend(
    epsilon: float,
    domain_sizes: int | Sequence[int],
    n: int,
    prior: Sequence[FloatArray] | None = None,
    *,
    by: By | None = None,
) -> tuple[Choice, ...]:
    """The oracles for each attribute, the best first, all at the same epsilon.

    Args:
        epsilon: asked for each report, in nats.
        domain_sizes: number of values of each attribute.
        n: number of persons, >= 1.
        prior: for each attribute (k,) shares that add up to 1, from public knowledge or an earlier
            collection; None: nothing is known.
        by: which variance decides; None: MEAN without a prior, WORST (under the prior) with one.

    Raises:
        ParameterError: a parameter outside its range, or a prior that is no distribution of the domain.
            Remedy: give one such array for each attribute.

    Source:
        T. Wang et al., USENIX Security 2017, equation 4 (the exact variance) and section 4.5 (the choice).

    Example:
        >>> [choice.best.name for choice in recommend(1.0, [2, 1024], 100_000)]
        ['GRR', 'SubsetSelection']
        >>> choice = recommend(1.0, 1024, 100_000)[0]
        >>> choice.best.bytes_per_report, choice.smallest_within(0.05).bytes_per_report
        (128, 2)
    """
    sizes = [domain_sizes] if isinstance(domain_sizes, int | np.integer) else list(domain_sizes)
    count = as_whole("n", n, low=1)
    if prior is not None and len(prior) != len(sizes):
        raise ParameterError(
            "A prior must be given for each of the {n_sizes} attributes; got {n_prior}.",
            "give one for each.",
            n_sizes=len(sizes),
            n_prior=len(prior),
        )
    known = oracles().values()
    rule = by or (By.MEAN if prior is None else By.WORST)
    out = []
    for i, size in enumerate(sizes):
        shares = np.array([0.0, 1.0]) if prior is None else _checked(prior[i], size)
        found = [_candidate(oracle(epsilon, size), count, shares) for oracle in known]
        ordered = tuple(sorted(found, key=lambda c: (c.by(rule), c.bits_per_report)))
        out.append(Choice(int(size), count, float(epsilon), rule, ordered))
    return tuple(out)


def table(choices: Sequence[Choice]) -> tuple[dict[str, Item], ...]:
    """One plain row for each attribute and oracle, for a table.

    Example:
        >>> rows = table(recommend(1.0, [2], 100))
        >>> rows[0]["oracle"], rows[0]["rank"]
        ('GRR', 1)
    """
    return tuple(
        {
            "attribute": place,
            "domain_size": choice.domain_size,
            "n": choice.n,
            "rank": rank,
            "oracle": candidate.name,
            "epsilon": candidate.epsilon,
            "worst_variance": candidate.worst,
            "mean_variance": candidate.mean,
            "rare_variance": candidate.rare,
            "bytes_per_report": candidate.bytes_per_report,
            "client_draws": candidate.client_draws,
            "server_steps": candidate.server_steps,
        }
        for place, choice in enumerate(choices)
        for rank, candidate in enumerate(choice.candidates, 1)
    )


@dataclass(frozen=True, slots=True)
class Curve:
    """The variance of one oracle as epsilon grows, for a picture.

    Args:
        name: of the oracle.
        epsilons: asked.
        variances: at each of them.
    """

    name: str
    epsilons: tuple[float, ...]
    variances: tuple[float, ...]


def curves(epsilons: Sequence[float], domain_size: int, n: int, *, by: By = By.RARE) -> tuple[Curve, ...]:
    """Variance against epsilon for every oracle: the seed's picture is k = 128, n = 100,000, by = RARE.

    Example:
        >>> for curve in curves([0.5, 5.0], 128, 100_000)[:2]:
        ...     print(curve.name, [f"{v:.2e}" for v in curve.variances])
        GRR ['3.03e-03', '1.26e-07']
        SUE ['1.59e-04', '9.74e-07']
    """
    points = [recommend(epsilon, domain_size, n, by=by)[0] for epsilon in epsilons]
    found = [{c.name: c.by(by) for c in point.candidates} for point in points]
    return tuple(
        Curve(name, tuple(float(e) for e in epsilons), tuple(values[name] for values in found)) for name in oracles()
    )


def _candidate(oracle: FrequencyOracle[Any], n: int, shares: FloatArray) -> Candidate:
    rare, average = variance(np.array([0.0, 1 / oracle.domain_size]), n, oracle.support)
    draws, steps = oracle.encoding.costs
    return Candidate(
        oracle.name,
        oracle.epsilon,
        worst=float(variance(shares, n, oracle.support).max()),
        mean=float(average),
        rare=float(rare),
        bits_per_report=oracle.bits_per_report,
        bytes_per_report=-(-oracle.bits_per_report // 8),
        client_draws=draws,
        server_steps=steps,
    )


def _checked(prior: FloatArray, size: int) -> FloatArray:
    """A prior that is a distribution of the domain."""
    shares = np.asarray(prior, np.float64)
    if shares.shape != (size,) or not np.all(shares >= 0) or abs(shares.sum() - 1) > 1e-6:
        raise ParameterError(
            "A prior must be {size} shares >= 0 that add up to 1, one for each value.", "give such an array.", size=size
        )
    return shares
