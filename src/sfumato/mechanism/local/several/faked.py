"""Attributes that may be the sampled one or a fake: what RS+FD and RS+RFD share.

With d attributes, one of them sampled, and φ_v = Pr[a fake report supports v], counts have the mean

    E[C_v] = n [ (q + f_v (p - q)) / d + (1 - 1/d) φ_v ],

which is solved for f. The papers' five estimators are this one with their φ.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.coordinate import Coordinate, Encoding
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.several.adaptive import BasicOracle, OracleName, Rule, least_variance, make_oracle
from sfumato.mechanism.local.several.epsilon import epsilons_with_fakes
from sfumato.mechanism.local.several.independent import EachReported, count_each
from sfumato.mechanism.local.several.scheme import by_blocks, check_tuples, sampling_term
from sfumato.mechanism.local.unary import Unary
from sfumato.noise.categorical import categorical
from sfumato.noise.integers import uniform_integers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.mechanism.local.several.epsilon import Epsilons
    from sfumato.mechanism.local.several.scheme import TupleCounts
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, FloatArray, IntArray


class Variant(Enum):
    """Oracle of the sampled attribute, and what stands in the others' places."""

    GRR = "GRR"
    """Fakes are values."""
    SUE_Z = "SUE-z"
    """Fakes are the perturbed vector of zeros."""
    OUE_Z = "OUE-z"
    """Fakes are the perturbed vector of zeros."""
    SUE_R = "SUE-r"
    """Fakes are perturbed random values."""
    OUE_R = "OUE-r"
    """Fakes are perturbed random values."""

    @property
    def oracle(self) -> OracleName:
        """The oracle of the sampled attribute."""
        return OracleName(self.value[:3])

    @property
    def has_zeros(self) -> bool:
        """Whether a fake holds no value."""
        return self.value.endswith("-z")


@dataclass(frozen=True, slots=True)
class Faked:
    """One attribute: its oracle, and the law of its fakes.

    Args:
        oracle: of the sampled attribute.
        fakes: k fractions that sum to 1, the law of the fake value; None: the perturbed vector of zeros.

    Attributes:
        fake_support: (k,) float64, φ: how often a fake report supports each value.
    """

    oracle: BasicOracle
    fakes: tuple[Fraction, ...] | None
    fake_support: FloatArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        shares = [float(share) for share in self.coordinate.fake_support]
        object.__setattr__(self, "fake_support", np.array(shares))

    @property
    def coordinate(self) -> Coordinate:
        """The public parameters, exactly as sampled."""
        p, q = self.oracle.exact_support
        encoding = Encoding.VALUE if isinstance(self.oracle, GRR) else Encoding.BITS
        return Coordinate(encoding, self.oracle.domain_size, p, q, self.fakes)


class Faking(EachReported):
    """A scheme in which one attribute, drawn uniformly, is reported among fakes of all others."""

    __slots__ = ()
    attributes: tuple[Faked, ...]

    @property
    def spoken(self) -> list[BasicOracle]:
        """The oracle of each attribute."""
        return [attribute.oracle for attribute in self.attributes]

    @property
    def epsilons(self) -> Epsilons:
        """What is promised, to which neighbors."""
        return epsilons_with_fakes([attribute.coordinate for attribute in self.attributes])

    def randomize(self, values: IntArray, *, bits: Bits) -> tuple[npt.NDArray[Any], ...]:
        """One report array for each attribute, from (n, d) codes; the sampled attribute is forgotten."""
        return randomize_marked(self.attributes, values, bits=bits)[0]

    def count_support(self, reports: Sequence[npt.NDArray[Any]]) -> TupleCounts:
        """Support counts of each attribute, genuine and fake reports together."""
        return count_each(self.spoken, reports)

    def estimate(self, counts: TupleCounts) -> tuple[FloatArray, ...]:
        """Unbiased shares of each attribute."""
        return tuple(
            estimate_faked(support, n, len(self.attributes), attribute)
            for attribute, support, n in zip(self.attributes, counts.support, counts.reports, strict=True)
        )

    def variance(self, frequencies: Sequence[FloatArray], n: int) -> tuple[FloatArray, ...]:
        """Exact variances for a fixed table of n persons."""
        d = len(self.attributes)
        return tuple(variance_faked(f, n, d, a) for a, f in zip(self.attributes, frequencies, strict=True))


def faked_attribute(variant: Variant, spent: float, fakes: tuple[Fraction, ...]) -> Faked:
    """One attribute of a variant at ε' = `spent`; `fakes` is their law where they are values."""
    oracle = make_oracle(variant.oracle, spent, len(fakes))
    return Faked(oracle, None if variant.has_zeros else fakes)


def choose_variant(rule: Rule, spent: float, fakes: tuple[Fraction, ...], d: int) -> Variant:
    """The variant whose exact variance is least for one attribute.

    Args:
        rule: which shares count.
        spent: ε' of the sampled attribute.
        fakes: k fractions that sum to 1, the law of fake values.
        d: number of attributes that share the persons.
    """
    candidates = {variant: faked_attribute(variant, spent, fakes) for variant in Variant}

    def variances(variant: Variant, f: FloatArray) -> FloatArray:
        """Variance at each share, of the value that is worst for this variant's fakes."""
        attribute = candidates[variant]
        return np.array([variance_faked(np.full(len(fakes), share), 1, d, attribute).max() for share in f])

    return least_variance(list(candidates), variances, rule)


def randomize_marked(
    attributes: Sequence[Faked], values: IntArray, *, bits: Bits
) -> tuple[tuple[npt.NDArray[Any], ...], IntArray]:
    """Reports of each attribute from (n, d) codes, and the (n,) sampled attributes: the truth for the judge of an attack.

    Published beside the reports they take away what the fakes are for.
    """
    columns = check_tuples(values, [attribute.oracle.domain_size for attribute in attributes])
    d = len(columns)

    def make(block: slice) -> list[npt.NDArray[Any]]:
        """Sampled attributes and reports of some persons."""
        sampled = uniform_integers(block.stop - block.start, d, bits=bits)
        places = zip(attributes, columns, strict=True)
        return [sampled, *(_report(a, c[block], sampled == at, bits=bits) for at, (a, c) in enumerate(places))]

    sampled, *reports = by_blocks(len(columns[0]), make)
    return tuple(reports), sampled


def view(attributes: Sequence[Faked], reports: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """What an intruder sees: (n,) values, or (n, k) bool bits, for each attribute."""
    return [
        column
        if isinstance(attribute.oracle, GRR)
        else np.unpackbits(column, axis=1, count=attribute.oracle.domain_size, bitorder="little").view(np.bool_)
        for attribute, column in zip(attributes, reports, strict=True)
    ]


def estimate_faked(counts: IntArray, n: int, d: int, attribute: Faked) -> FloatArray:
    """Unbiased shares of one attribute: f̂ = (d C/n - (d-1) φ - q)/(p - q).

    Args:
        counts: (k,) int64, reports that support each value.
        n: number of reports, >= 1.
        d: number of attributes that share the persons.
        attribute: its oracle and fakes.

    Raises:
        ParameterError: no report. Remedy: wait for one.

    Source:
        H. Arcolezi et al., CIKM 2021, equations 4 to 11; H. Arcolezi et al., VLDB 2023, equations 6 and 7.
    """
    if n < 1:
        raise ParameterError("An estimate needs at least one report; got {n}.", "wait for reports.", n=n)
    support = attribute.oracle.support
    shares: FloatArray = (d * counts / n - (d - 1) * attribute.fake_support - support.q) / (support.p - support.q)
    return shares


def variance_faked(frequencies: FloatArray, n: int, d: int, attribute: Faked) -> FloatArray:
    """Exact variance of `estimate_faked` for a fixed table: d² δ(1-δ)/(n(p-q)²) - f(1-f)/n.

    δ = (q + f(p-q) + (d-1)φ)/d is the probability that a report supports the value. The papers' theorems lack
    the last term: they are about persons drawn independently.

    Args:
        frequencies: (k,) float64, true shares in [0, 1].
        n: number of persons, >= 1.
        d: number of attributes that share the persons.
        attribute: its oracle and fakes.

    Source:
        H. Arcolezi et al., CIKM 2021, theorems 3, 5 and 7; VLDB 2023, theorems 2 and 4.
    """
    support = attribute.oracle.support
    gap = support.p - support.q
    seen = (support.q + frequencies * gap + (d - 1) * attribute.fake_support) / d
    out: FloatArray = d**2 * seen * (1 - seen) / (n * gap**2) - sampling_term(frequencies, n)
    return out


def _report(attribute: Faked, values: IntArray, genuine: BoolArray, *, bits: Bits) -> npt.NDArray[Any]:
    """Reports of one attribute: genuine where it is the sampled one."""
    oracle, n, asked = attribute.oracle, len(values), np.flatnonzero(genuine)
    if attribute.fakes is not None:
        fakes = _fake_values(n, attribute.fakes, bits=bits)
        if not isinstance(oracle, GRR):
            return oracle.randomize(np.where(genuine, values, fakes), bits=bits)
        fakes[asked] = oracle.randomize(values[asked], bits=bits)
        return fakes
    if not isinstance(oracle.encoding, Unary):
        raise ParameterError("A value report has no fake of zeros.", "give the law of the fake value.")
    rows = oracle.encoding.randomize_nothing(n, oracle.coin, bits=bits)
    rows[asked] = oracle.randomize(values[asked], bits=bits)
    return rows


def _fake_values(n: int, fakes: tuple[Fraction, ...], *, bits: Bits) -> IntArray:
    if min(fakes) == max(fakes):
        return uniform_integers(n, len(fakes), bits=bits)
    return categorical(n, fakes, bits=bits)


def uniform(domain_size: int) -> tuple[Fraction, ...]:
    """The law of a uniform fake value.

    Example:
        >>> [str(share) for share in uniform(3)]
        ['1/3', '1/3', '1/3']
    """
    return (Fraction(1, domain_size),) * domain_size


def prior(shares: Sequence[float]) -> tuple[Fraction, ...]:
    """The law of a fake value that follows a prior: the exact values of the shares over their exact sum.

    Raises:
        ParameterError: a share that is negative or not finite, or no positive one. Remedy: correct the prior.

    Example:
        >>> [str(share) for share in prior([0.25, 0.5, 0.25])]
        ['1/4', '1/2', '1/4']
    """
    if not all(isfinite(share) and share >= 0 for share in shares) or not any(shares):
        raise ParameterError(
            "A prior must be finite shares >= 0, not all 0.", "give a share for each value of the domain."
        )
    exact = [Fraction(share) for share in shares]
    total = sum(exact)
    return tuple(share / total for share in exact)
