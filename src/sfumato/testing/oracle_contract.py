"""What every frequency oracle must do, the contract suite: one function for each duty.

The law of an oracle is written down a second time here, report by report, from nothing but its coin and
its definition. What the oracle states (epsilon, p, q) must be what this law gives, and what it samples
must follow this law.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import epsilon_of_matrix
from sfumato.mechanism.local.oracle import estimate, variance

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.local.oracle import FrequencyOracle
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

FALSE_ALARM = 1e-6
"""Probability with which one statistical check of a right oracle fails."""


@dataclass(frozen=True, slots=True)
class Case:
    """One oracle under test.

    Args:
        make: epsilon and domain size to the oracle.
        law: the exact probability of each report given each value, and all reports in that order, for
            a small domain. For local hashing: given a few hash functions.
    """

    make: Callable[[float, int], FrequencyOracle[Any]]
    law: Callable[[Any], tuple[list[list[Fraction]], Any]]


def states_the_epsilon_of_its_law(case: Case, epsilon: float, size: int) -> bool:
    """Whether the stated epsilon is that of the enumerated matrix, and at most the asked one."""
    oracle = case.make(epsilon, size)
    matrix, _ = case.law(oracle)
    return epsilon_of_matrix(matrix) == oracle.epsilon <= epsilon


def states_the_support_of_its_law(case: Case, epsilon: float, size: int) -> bool:
    """Whether p and q are, exactly, the probabilities with which enumerated reports support values."""
    oracle: Any = case.make(epsilon, size)
    matrix, reports = case.law(oracle)
    supports = [oracle.count_support(reports[i : i + 1]).tolist() for i in range(len(reports))]
    p, q = oracle.exact_support
    for value, row in enumerate(matrix):
        for other in range(size):
            found = sum((chance * hit[other] for chance, hit in zip(row, supports, strict=True)), Fraction(0))
            if found != (p if other == value else q):
                return False
    return bool(oracle.support.p == float(p) and oracle.support.q == float(q))


def samples_its_law(case: Case, epsilon: float, size: int, *, bits: Bits) -> float:
    """The largest deviation of any report's frequency from its law, in the units of its bound.

    By Bernstein's inequality the deviation of a count from n P is below t with t² = 2 L n P + 2 L t/3
    except with probability 2 e^-L; L covers all cells together, so that a value above 1 is a false
    alarm with probability at most `FALSE_ALARM`.
    """
    oracle: Any = case.make(epsilon, size)
    matrix, reports = case.law(oracle)
    keys = [report_key(reports, i) for i in range(len(reports))]
    n, log_cells = 20_000, math.log(2 * size * len(keys) / FALSE_ALARM)
    worst = 0.0
    for value, row in enumerate(matrix):
        drawn = oracle.randomize(np.full(n, value), bits=bits)
        found = dict(zip(*_tally(drawn), strict=True))
        if set(found) - set(keys):
            return math.inf
        for key, chance in zip(keys, row, strict=True):
            mean = n * float(chance)
            bound = log_cells / 3 + math.sqrt((log_cells / 3) ** 2 + 2 * log_cells * mean)
            worst = max(worst, abs(found.get(key, 0) - mean) / bound)
    return worst


def report_key(reports: Any, i: int) -> bytes:
    """One report as bytes."""
    return bytes(np.ascontiguousarray(reports[i : i + 1]).tobytes())


def _tally(drawn: Any) -> tuple[list[bytes], list[int]]:
    """Different reports and how often they came."""
    rows = np.ascontiguousarray(drawn).view(np.uint8).reshape(len(drawn), -1)
    different, hits = np.unique(rows, axis=0, return_counts=True)
    return [bytes(row.tobytes()) for row in different], hits.tolist()


@dataclass(frozen=True, slots=True)
class Simulated:
    """What repeated collections gave: z of the mean for each value, and variance over theory."""

    bias_z: FloatArray
    variance_ratio: float
    ratio_error: float


def simulate(oracle: FrequencyOracle[Any], values: IntArray, runs: int, *, bits: Bits) -> Simulated:
    """Estimates of many collections of the same persons against the exact mean and variance.

    The persons of all runs are randomized at once. The error of the variance ratio is that of a mean
    over runs of squared z scores, taken from the runs themselves.
    """
    n, size = len(values), oracle.domain_size
    truth = np.bincount(values, minlength=size) / n
    reports = oracle.randomize(np.tile(values, runs), bits=bits)
    found = np.array(
        [estimate(oracle.count_support(reports[i * n : (i + 1) * n]), n, oracle.support) for i in range(runs)]
    )
    exact = variance(truth, n, oracle.support)
    squares = ((found - truth) ** 2 / exact).mean(axis=1)
    return Simulated(
        bias_z=(found.mean(axis=0) - truth) / np.sqrt(exact / runs),
        variance_ratio=float(squares.mean()),
        ratio_error=float(squares.std(ddof=1) / math.sqrt(runs)),
    )


def counts_add_up(oracle: FrequencyOracle[Any], values: IntArray, *, bits: Bits) -> bool:
    """Whether the counts of two batches add up to those of both together, an empty batch included."""
    reports = oracle.randomize(values, bits=bits)
    cut = len(values) // 3
    parts = [oracle.count_support(part) for part in (reports[:cut], reports[cut:], reports[:0])]
    return bool(np.array_equal(sum(parts), oracle.count_support(reports)))


def survives_the_wire(oracle: FrequencyOracle[Any], values: IntArray, *, bits: Bits) -> bool:
    """Whether reports of any number come back from their bytes as they were."""
    reports = oracle.randomize(values, bits=bits)
    return all(
        np.array_equal(oracle.from_bytes(oracle.to_bytes(reports[:n])), reports[:n]) for n in (0, 1, 7, len(values))
    )


def law_of_grr(oracle: Any) -> tuple[list[list[Fraction]], IntArray]:
    """Noise s/k everywhere, and 1-s more on the value."""
    k, s = oracle.domain_size, oracle.coin.noise
    return [[s / k + (1 - s) * (y == v) for y in range(k)] for v in range(k)], np.arange(k)


def law_of_unary(oracle: Any, p: Fraction) -> tuple[list[list[Fraction]], Any]:
    """All bit vectors: p or 1-p at the value's bit, q or 1-q at the others."""
    k, q = oracle.domain_size, oracle.coin.noise
    vectors = list(product((0, 1), repeat=k))
    other, own = [1 - q, q], [1 - p, p]
    matrix = [
        [
            math.prod(((own if i == v else other)[bit] for i, bit in enumerate(vector)), start=Fraction(1))
            for vector in vectors
        ]
        for v in range(k)
    ]
    return matrix, np.packbits(np.array(vectors, np.uint8), axis=1, bitorder="little")


def law_of_subsets(oracle: Any) -> tuple[list[list[Fraction]], IntArray]:
    """All subsets of w values: p shared among those that hold the value, 1-p among the others."""
    k, w, p = oracle.domain_size, oracle.encoding.size, oracle.coin.truth
    sets = list(combinations(range(k), w))
    inside, outside = p / math.comb(k - 1, w - 1), (1 - p) / math.comb(k - 1, w)
    return [[inside if v in members else outside for members in sets] for v in range(k)], np.array(sets)


def law_of_hadamard(oracle: Any) -> tuple[list[list[Fraction]], IntArray]:
    """Rows of Sylvester's matrix, written out as a product of 2x2 blocks."""
    block, matrix = np.array([[1, 1], [1, -1]]), np.array([[1]])
    while len(matrix) < oracle.encoding.n_reports:
        matrix = np.kron(matrix, block)
    even = Fraction(2, oracle.encoding.n_reports)
    s = oracle.coin.noise
    law = [
        [even * ((1 - s) if matrix[y, v + 1] == 1 else s) for y in range(oracle.encoding.n_reports)]
        for v in range(oracle.domain_size)
    ]
    return law, np.arange(oracle.encoding.n_reports)


def law_of_projective(oracle: Any) -> tuple[list[list[Fraction]], IntArray]:
    """Points by exhaustive products, in the order of free coordinates and then of numbers."""
    q, t, p = oracle.encoding.space.q, oracle.encoding.space.t, oracle.coin.truth
    points = [(*(0,) * (t - 1 - free), 1, *rest) for free in range(t) for rest in product(range(q), repeat=free)]
    law = []
    for plane in points[: oracle.domain_size]:
        on = [sum(a * b for a, b in zip(point, plane, strict=True)) % q == 0 for point in points]
        law.append([p / sum(on) if is_on else (1 - p) / (len(on) - sum(on)) for is_on in on])
    return law, np.arange(len(points))
