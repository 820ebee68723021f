"""dBitFlipPM: a slowly changing number reported in a few remembered bits."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError, ReportError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.check import check_domain, check_values
from sfumato.mechanism.local.longitudinal.chain import bits_ratio, flip, noisy_enough
from sfumato.mechanism.local.longitudinal.protocol import Form
from sfumato.mechanism.local.oracle import Support
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.subsets import subsets
from sfumato.numbers.check import as_whole
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class DBitFlip:
    """Values fall into b buckets; a person answers for d buckets drawn once, each with one remembered bit.

    The bit of a drawn bucket is 1 with probability p where the value lies in it and q = 1-p elsewhere.
    All values outside the drawn buckets share one remembered answer, so a person has d + 1 of them.
    There is no second round: what is sent is the answer, each time the same.

    Proof: which buckets were drawn does not depend on the value. Two values in two drawn buckets differ
    in two bits, ratio (p/q)²; with d = 1 at most one bit differs, ratio p/q. With d = 1 each bit
    therefore spends all of epsilon here, and half of it otherwise (the paper halves it always).

    Args:
        domain_size: k values, ordered, >= 2.
        n_buckets: b, 2 … k; value v falls into bucket floor(v b / k).
        n_bits: d, 1 … b.
        permanent: epsilon of all reports about one value.

    Raises:
        ParameterError: a number outside its range. Remedy: give 1 <= n_bits <= n_buckets <= domain_size.

    Source:
        B. Ding, J. Kulkarni and S. Yekhanin, "Collecting Telemetry Data Privately", NIPS 2017, section 3.

    Example:
        >>> protocol = DBitFlip(domain_size=100, n_buckets=10, n_bits=4, permanent=2.0)
        >>> protocol.n_inputs, round(protocol.epsilon_permanent, 6)
        (5, 2.0)
    """

    domain_size: int
    n_buckets: int
    n_bits: int
    permanent: float
    q1: Fraction = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_domain(self.domain_size)
        check_domain(self.n_buckets)
        as_whole("n_bits", self.n_bits, low=1)
        if not self.n_bits <= self.n_buckets <= self.domain_size:
            raise ParameterError(
                "There must be n_bits <= n_buckets <= domain_size; got {n_bits}, {n_buckets} and {domain_size}.",
                "draw fewer bits, or make the buckets finer.",
                n_bits=self.n_bits,
                n_buckets=self.n_buckets,
                domain_size=self.domain_size,
            )
        epsilon = check_epsilon(self.permanent)
        noise = noisy_enough(flip(epsilon / self._bits_that_differ, 2), epsilon, lambda x: self._ratio(Fraction(x)))
        object.__setattr__(self, "q1", Fraction(noise))

    @property
    def _bits_that_differ(self) -> int:
        """In how many drawn bits two values can differ."""
        return min(self.n_bits, 2)

    def _ratio(self, q: Fraction) -> Fraction:
        return bits_ratio(1 - q, q) if self._bits_that_differ == 2 else (1 - q) / q

    @property
    def label(self) -> bytes:
        """Name, version and parameters."""
        text = f"d-bit-flip/1 {self.domain_size} {self.n_buckets} {self.n_bits} {float(self.permanent)!r}"
        return text.encode()

    @property
    def form(self) -> Form:
        """What a person sends."""
        return Form(2, self.n_bits, self.n_buckets, self.n_bits, is_bits=True)

    @property
    def n_inputs(self) -> int:
        """Each drawn bucket, and all others together (none if all are drawn)."""
        return min(self.n_bits + 1, self.n_buckets)

    @property
    def epsilon_first(self) -> float:
        """The same as of all: the same bits are sent again."""
        return self.epsilon_permanent

    @property
    def epsilon_permanent(self) -> float:
        """The logarithm of (p/q)², or of p/q where one bit is drawn."""
        return log_up(self._ratio(self.q1))

    @property
    def support(self) -> Support:
        """A report supports a bucket if the person drew it and its bit is 1: p d/b and q d/b.

        With these `oracle.estimate` is the paper's estimator, and `oracle.variance` its exact variance,
        the draw of the buckets included.
        """
        share = Fraction(self.n_bits, self.n_buckets)
        return Support(p=float((1 - self.q1) * share), q=float(self.q1 * share))

    def draw_traits(self, n: int, *, bits: Bits) -> IntArray:
        """(n, d) int64: the buckets that each person answers for, ascending."""
        return subsets(n, self.n_buckets, self.n_bits, bits=bits)

    def buckets(self, values: IntArray) -> IntArray:
        """(n,) int64: the bucket floor(v b / k) of each value."""
        return check_values(values, self.domain_size) * self.n_buckets // self.domain_size

    def inputs(self, values: IntArray, traits: IntArray) -> IntArray:
        """(n,) int64: the place of the value's bucket among the drawn ones, d if it is none of them."""
        drawn = traits == self.buckets(values)[:, np.newaxis]
        return np.where(drawn.any(axis=1), drawn.argmax(axis=1), self.n_bits)

    def answer(self, inputs: IntArray, traits: IntArray, *, bits: Bits) -> BoolArray:
        """(n, d) bool: the bits to remember."""
        true = inputs[:, np.newaxis] == np.arange(self.n_bits)
        return np.asarray(
            np.not_equal(true, bernoulli(traits.size, self.q1, bits=bits).reshape(traits.shape)), np.bool_
        )

    def report(self, answers: BoolArray, *, bits: Bits) -> BoolArray:  # noqa: ARG002
        """The answers themselves."""
        return answers

    def count_support(self, reports: BoolArray, traits: IntArray) -> IntArray:
        """(b,) int64: bits set for each bucket."""
        shape = (len(reports), self.n_bits)
        drawn = traits.shape == shape and bool(np.all((traits >= 0) & (traits < self.n_buckets)))
        if reports.dtype != np.bool_ or reports.shape != shape or not drawn or np.any(np.diff(traits, axis=1) <= 0):
            raise ReportError(
                "Reports must be bits, one for each of {n_bits} different buckets in ascending order.",
                "give the reports of this protocol together with the buckets that each person drew.",
                n_bits=self.n_bits,
            )
        return np.bincount(traits[reports], minlength=self.n_buckets).astype(np.int64)
