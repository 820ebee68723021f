"""SMP: each person reports one attribute, drawn uniformly, with the whole budget."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local import oracle as joint
from sfumato.mechanism.local.check import check_reports
from sfumato.mechanism.local.several.adaptive import BasicOracle, OracleName, Rule, oracles_for
from sfumato.mechanism.local.several.epsilon import Epsilons
from sfumato.mechanism.local.several.independent import Told, count_each, estimate_each
from sfumato.mechanism.local.several.scheme import TupleCounts, check_domains, check_tuples
from sfumato.mechanism.local.several.tuple_wire import join_columns, read_head, split_columns, write_head
from sfumato.mechanism.local.wire import pack_integers, unpack_integers
from sfumato.noise.integers import uniform_integers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

_EXPANDED = 1e5
"""Persons an attribute from which the expansion of a mean about it is exact to a float64."""
_WINDOW = 40
"""Standard deviations of a binomial beyond which its probability is below 10⁻³⁰⁰ of nothing that counts."""


@dataclass(frozen=True, slots=True, eq=False)
class SampledReports:
    """Reports of persons who each answered about one attribute.

    Args:
        sampled: (n,) int64, the attribute that each person was asked about. It is public.
        columns: d report arrays; attribute j's holds its persons' reports, in the order of persons.
    """

    sampled: IntArray
    columns: tuple[npt.NDArray[Any], ...]


@dataclass(frozen=True, slots=True)
class SMP(Told):
    """One attribute, drawn uniformly and independently of the values, is reported by an oracle at ε.

    Proof of ε: which attribute is reported does not depend on the tuple, and its report is ε_j-LDP:
    max ε_j, for the whole record and for one attribute.

    Args:
        epsilon: for the whole record, > 0.
        domain_sizes: number of values of each attribute, >= 2.
        choice: one oracle for all, or the rule that chooses one for each.

    Raises:
        ParameterError: a number outside its range. Remedy: give them inside.

    Source:
        H. Arcolezi, J.-F. Couchot, B. Al Bouna and X. Xiao, CIKM 2021 ("Smp").

    Example:
        >>> print(SMP(1.0, (2, 3, 4, 5), OracleName.GRR).epsilons)
        epsilon of the whole record 1; of one attribute 1; as published 1
    """

    name: ClassVar[str] = "SMP"

    epsilon: float
    domain_sizes: tuple[int, ...]
    choice: OracleName | Rule
    oracles: tuple[BasicOracle, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        epsilon, sizes = check_epsilon(self.epsilon), check_domains(self.domain_sizes)
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "domain_sizes", sizes)
        object.__setattr__(self, "oracles", oracles_for(self.choice, epsilon, sizes))

    @property
    def epsilons(self) -> Epsilons:
        """What is promised, to which neighbors."""
        spent = max(oracle.epsilon for oracle in self.oracles)
        return Epsilons(self.epsilon, spent, spent)

    def randomize(self, values: IntArray, *, bits: Bits) -> SampledReports:
        """The reports of n persons with (n, d) codes."""
        columns = check_tuples(values, self.domain_sizes)
        sampled = uniform_integers(len(columns[0]), len(columns), bits=bits)
        reports = tuple(
            oracle.randomize(column[sampled == at], bits=bits)
            for at, (oracle, column) in enumerate(zip(self.oracles, columns, strict=True))
        )
        return SampledReports(sampled, reports)

    def count_support(self, reports: SampledReports) -> TupleCounts:
        """Support counts of each attribute, and how many persons reported it."""
        return count_each(self.oracles, reports.columns)

    def estimate(self, counts: TupleCounts) -> tuple[FloatArray, ...]:
        """Unbiased shares of each attribute, from the persons who reported it; at least one must have."""
        return estimate_each(self.oracles, counts)

    def persons(self, counts: TupleCounts) -> int:
        """Persons behind some counts: each reports one attribute."""
        return sum(counts.reports)

    def variance(self, frequencies: Sequence[FloatArray], n: int) -> tuple[FloatArray, ...]:
        """Exact variances for a fixed table of n persons, given that every attribute was reported.

        With m persons asked, out of n without replacement, Var = A/m + f(1-f)/m · (n-m)/(n-1), where A/m is
        the oracle's variance; m is binomial. To first order d A/n + (d-1) f(1-f)/n. Papers leave the second
        term, of sampling, out.
        """
        inverse = mean_inverse(n, len(self.oracles))
        return tuple(
            joint.variance(f, 1, oracle.support) * inverse + f * (1 - f) * (inverse * n - 1) / max(n - 1, 1)
            for oracle, f in zip(self.oracles, frequencies, strict=True)
        )

    def to_bytes(self, reports: SampledReports) -> bytes:
        """The versioned wire form: who was asked about what, then each attribute's reports."""
        sampled = check_reports(reports.sampled, len(self.oracles), self.name)
        head = write_head(self.name, self.digest, len(self.oracles), len(sampled))
        return head + pack_integers(sampled, self._width) + join_columns(self.oracles, reports.columns)

    def from_bytes(self, data: bytes) -> SampledReports:
        """The reports of a wire form made by the same scheme."""
        n, rest = read_head(self.name, self.digest, len(self.oracles), data)
        end = -(-n * self._width // 8)
        if len(rest) < end:
            raise ReportError("The bytes of {name} are too few.", "send them again.", name=self.name)
        sampled = check_reports(unpack_integers(rest[:end], n, self._width), len(self.oracles), self.name)
        sizes = np.bincount(sampled, minlength=len(self.oracles)).tolist()
        return SampledReports(sampled, split_columns(self.oracles, sizes, rest[end:], self.name))

    @property
    def spoken(self) -> tuple[BasicOracle, ...]:
        """The oracle of each attribute."""
        return self.oracles

    @property
    def _width(self) -> int:
        """Bits that name an attribute."""
        return max(1, (len(self.oracles) - 1).bit_length())


def mean_inverse(n: int, d: int) -> float:
    """E[1/m | m >= 1] of m ~ Binomial(n, 1/d).

    The probabilities that count are summed; where the mean u = n/d is above 10^5, the expansion about it does as well:
    1/u (1 + q/u + q(3q - 1 + 2/d)/u^2), q = 1 - 1/d, whose next term is of the order 15/u^3.

    Args:
        n: persons, >= 1.
        d: attributes, >= 1.

    Example:
        >>> round(mean_inverse(2, 2), 6)
        0.833333
    """
    if d == 1:
        return 1 / n
    if n > _EXPANDED * d:
        u, q = n / d, 1 - 1 / d
        return (1 + q / u + q * (3 * q - 1 + 2 / d) / u**2) / u
    spread = _WINDOW * (n * (d - 1)) ** 0.5 / d + _WINDOW
    m = np.arange(max(1, int(n / d - spread)), min(n, int(n / d + spread)) + 1, dtype=np.float64)
    steps = np.log((n - m[:-1]) / (m[:-1] + 1) / (d - 1))
    log_weights = np.concatenate([[0.0], np.cumsum(steps)])
    weights = np.exp(log_weights - log_weights.max())
    return float((weights / m).sum() / weights.sum())
