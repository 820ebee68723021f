"""LOLOHA: a value of a large domain reported for a lifetime at a bounded loss; hash, remember, report."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from math import ceil, exp, floor, log
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError, ReportError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.check import check_domain, check_reports, check_values
from sfumato.mechanism.local.longitudinal.chain import Chain, symbol_chain, symbol_ratio
from sfumato.mechanism.local.longitudinal.l_grr import keep_or_move
from sfumato.mechanism.local.longitudinal.protocol import Form
from sfumato.mechanism.local.oracle import Support
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

PRIME = 2**31 - 1
"""Field of the hash functions: products of two elements fit in int64."""

_LARGEST_RANGE = 2**16
_CHUNK = 1 << 22


def hash_cells(traits: IntArray, values: IntArray, n_cells: int) -> IntArray:
    """The cell ((a v + b) mod 2³¹-1) mod g of each value under its person's hash function.

    For two different values the pair of residues is uniform on the field's square when a and b are
    uniform, so they share a cell with probability exactly Σ_c (n_c/P)², n_c residues in cell c.

    Args:
        traits: (n, 2) int64, a and b in [0, 2³¹-1).
        values: (n,) or (n, m) int64 in [0, 2³¹-1), or a shape that broadcasts.
        n_cells: g, >= 2.

    Source:
        J. L. Carter and M. N. Wegman, "Universal Classes of Hash Functions", 1979.

    Example:
        >>> hash_cells(np.array([[1, 0], [2, 1]]), np.array([5, 5]), 4).tolist()
        [1, 3]
    """
    a, b = traits[:, 0], traits[:, 1]
    if values.ndim == 2:
        a, b = a[:, np.newaxis], b[:, np.newaxis]
    return np.asarray((a * values + b) % PRIME % n_cells, np.int64)


def collision(n_cells: int) -> Fraction:
    """Probability that two different values share a cell, 1/g but for the remainder of 2³¹-1 by g.

    Example:
        >>> round(float(collision(2)), 9)
        0.5
    """
    each, more = divmod(PRIME, n_cells)
    return Fraction(more * (each + 1) ** 2 + (n_cells - more) * each**2, PRIME**2)


@dataclass(frozen=True, slots=True)
class LOLOHA:
    """Each person hashes the domain to g cells, and runs two rounds of randomized response on the cells.

    The hash function is drawn once and travels with the reports. Values in one cell share an answer, so a
    person remembers at most g answers and loses at most g ε∞ between histories whose hashes repeat together, whatever the size of the domain. A report
    supports the values of its cell: p = p(ε1), q = c p + (1-c)(1-p)/(g-1), c the chance of a collision.

    Proof: given the hash function, which does not depend on the value, it is L-GRR over g cells.

    Args:
        domain_size: k, 2 … 2³¹-1.
        first: epsilon of one report, ε1.
        permanent: epsilon of all reports about one value, ε∞ > ε1.
        n_cells: g, 2 … 65536; 2 loses least over a lifetime, `best_cells(first)` has the smallest variance.

    Raises:
        ParameterError: a number outside its range.

    Source:
        H. H. Arcolezi et al., "Frequency Estimation of Evolving Data Under Local Differential Privacy",
        EDBT 2023. Its second round leaves a part of ε1 unused for g > 2 (it bounds the ratio of one report
        by (p1 p2 + q1 q2)/(p1 q2 + q1 p2)); here the report's exact epsilon is ε1.

    Example:
        >>> protocol = LOLOHA(domain_size=1000, first=1.0, permanent=2.0, n_cells=2)
        >>> protocol.n_inputs, round(protocol.epsilon_first, 6), round(protocol.epsilon_permanent, 6)
        (2, 1.0, 2.0)
    """

    domain_size: int
    first: float
    permanent: float
    n_cells: int
    chain: Chain = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if check_domain(self.domain_size) > PRIME or check_domain(self.n_cells) > _LARGEST_RANGE:
            raise ParameterError(
                "There may be {prime} values and {largest_range} cells; got {domain_size} and {n_cells}.",
                "group the values, or use fewer cells.",
                prime=PRIME,
                largest_range=_LARGEST_RANGE,
                domain_size=self.domain_size,
                n_cells=self.n_cells,
            )
        object.__setattr__(self, "chain", symbol_chain(self.first, self.permanent, self.n_cells))

    @property
    def label(self) -> bytes:
        """Name, version and parameters."""
        return f"loloha/1 {self.domain_size} {float(self.first)!r} {float(self.permanent)!r} {self.n_cells}".encode()

    @property
    def form(self) -> Form:
        """What a person sends."""
        return Form(self.n_cells, 1, PRIME, 2)

    @property
    def n_inputs(self) -> int:
        """Every cell is an input."""
        return self.n_cells

    @property
    def epsilon_first(self) -> float:
        """The logarithm of p (g-1) / (1-p) for one report."""
        return log_up(symbol_ratio(self.chain.p, self.n_cells))

    @property
    def epsilon_permanent(self) -> float:
        """The logarithm of p1 (g-1) / (1-p1) for the remembered answer."""
        return log_up(symbol_ratio(self.chain.p1, self.n_cells))

    @property
    def support(self) -> Support:
        """Support of one report."""
        shared = collision(self.n_cells)
        return Support(float(self.chain.p), float(shared * self.chain.p + (1 - shared) * self.chain.q))

    def draw_traits(self, n: int, *, bits: Bits) -> IntArray:
        """(n, 2) int64: a hash function for each person."""
        return uniform_integers(2 * n, PRIME, bits=bits).reshape(n, 2)

    def inputs(self, values: IntArray, traits: IntArray) -> IntArray:
        """(n,) int64: the cell of each value."""
        return hash_cells(traits, check_values(values, self.domain_size), self.n_cells)

    def answer(self, inputs: IntArray, traits: IntArray, *, bits: Bits) -> IntArray:  # noqa: ARG002
        """(n,) int64: the answers to remember."""
        return keep_or_move(inputs, self.n_cells, self.chain.p1, bits=bits)

    def report(self, answers: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64: one cell each."""
        return keep_or_move(answers, self.n_cells, self.chain.p2, bits=bits)

    def count_support(self, reports: IntArray, traits: IntArray) -> IntArray:
        """(k,) int64: persons whose reported cell holds each value."""
        cells = check_reports(reports, self.n_cells, "LOLOHA")
        if traits.shape != (len(cells), 2) or np.any((traits < 0) | (traits >= PRIME)):
            raise ReportError(
                "Every report must come with its hash function, two numbers below {prime}; one does not.",
                "give the traits of the persons in the order of their reports.",
                prime=PRIME,
            )
        values, counts = np.arange(self.domain_size), np.zeros(self.domain_size, np.int64)
        step = max(1, _CHUNK // self.domain_size)
        for start in range(0, len(cells), step):
            part = slice(start, start + step)
            hashed = hash_cells(traits[part], values[np.newaxis], self.n_cells)
            counts += np.count_nonzero(hashed == cells[part, np.newaxis], axis=0)
        return counts


def best_cells(first: float) -> int:
    """The number of cells with the smallest variance of a rare value: near e^ε1 + 1, and at most 65536.

    One report has the p and q of local hashing with ε1, however the two rounds share it, so the best g
    is that of OLH. V(g) = (e^ε1 + g - 1)² / ((e^ε1 - 1)² (g - 1)) falls up to g = e^ε1 + 1, then rises.

    Args:
        first: epsilon of one report, ε1.

    Example:
        >>> best_cells(0.5), best_cells(2.0)
        (3, 8)
    """
    epsilon = check_epsilon(first)
    if epsilon > log(_LARGEST_RANGE):
        return _LARGEST_RANGE
    odds = exp(epsilon)
    candidates = [max(2, floor(odds) + 1), min(_LARGEST_RANGE, ceil(odds) + 1)]
    return min(candidates, key=lambda g: (odds + g - 1) ** 2 / (g - 1))
