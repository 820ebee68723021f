"""Several of many values: a noisy bit for each of them, or a noisy bit for one that is drawn. Answers are rows of 0 and 1."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.check import check_domain, check_reports
from sfumato.mechanism.local.coin import Coin, calibrate
from sfumato.mechanism.local.oracle import Support
from sfumato.mechanism.local.survey.public import parameters_of
from sfumato.mechanism.local.survey.randomizer import OfSymbols
from sfumato.mechanism.local.wire import pack_integers, unpack_integers
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.check import whole
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.noise.bits import Bits
    from sfumato.table.values import Item
    from sfumato.types import IntArray


def check_chosen(answers: npt.ArrayLike, domain_size: int, most: int) -> IntArray:
    """(n, k) answers of 0 and 1 with at most `most` ones in a row.

    Raises:
        ParameterError: something else. Remedy: one row for each person, a 1 for each value that holds.
    """
    rows = np.asarray(answers)
    if rows.ndim != 2 or rows.shape[1] != domain_size or not np.isin(rows, (0, 1)).all():
        raise ParameterError(
            "Answers must be rows of {domain_size} zeros and ones.", "give a 1 for each value that holds.",
            domain_size=domain_size,
        )  # fmt: skip
    if len(rows) and rows.sum(axis=1).max() > most:
        raise ParameterError(
            "A person may choose at most {most} of the values; somebody chose more.",
            "declare a larger `most`, or ask for fewer.",
            most=most,
        )
    return rows.astype(np.int64)


def _coin(epsilon: float, domain_size: int, most: int, differ: int) -> Coin:
    """The coin of bits of which so many differ at most between two answers.

    Raises:
        ParameterError: a number outside its range.
    """
    asked = check_epsilon(epsilon)
    whole(most, "most", 1, check_domain(domain_size))
    return calibrate(asked, asked / differ, lambda odds: odds**differ)


def _supports(coin: Coin, domain_size: int) -> tuple[Support, ...]:
    """Of each value, whose bit a coin flips."""
    return (Support(float(coin.truth), float(coin.noise)),) * domain_size


@dataclass(frozen=True, slots=True)
class EveryBit:
    """One bit for each value, each flipped by a coin of its own.

    Proof: two answers with at most m ones each differ in D = min(2m, k) bits at most, and do in D; the flips are
    independent, so the largest ratio of a report is ((1-s)/s)^D exactly.

    Args:
        epsilon: asked, in nats; then the exact one, at most that.
        domain_size: k, number of values, >= 2.
        most: m, how many hold at most, 1 … k.

    Raises:
        ParameterError: a number outside its range.

    Source:
        Ú. Erlingsson et al., "RAPPOR", CCS 2014, section 2 (basic one-time RAPPOR of several bits).

    Example:
        >>> one = EveryBit(2.0, domain_size=5, most=2)
        >>> one.differ, one.epsilon <= 2.0
        (4, True)
        >>> [round(one.p, 3) for one in EveryBit(2.0, domain_size=2, most=1).supports]
        [0.731, 0.731]
    """

    name: ClassVar[str] = "every bit"

    epsilon: float
    domain_size: int
    most: int
    coin: Coin = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        coin = _coin(self.epsilon, self.domain_size, self.most, self.differ)
        object.__setattr__(self, "coin", coin)
        object.__setattr__(self, "epsilon", log_up(coin.odds**self.differ))

    @property
    def differ(self) -> int:
        """D, in how many bits two answers differ at most."""
        return min(2 * self.most, self.domain_size)

    @property
    def size(self) -> int:
        """One count for each value."""
        return self.domain_size

    @property
    def supports(self) -> tuple[Support, ...]:
        """Of each value: how often its bit is a one where it holds, and where it does not."""
        return _supports(self.coin, self.domain_size)

    @property
    def bits_per_report(self) -> int:
        """One for each value."""
        return self.domain_size

    def randomize(self, answers: npt.NDArray[np.integer], *, bits: Bits) -> IntArray:
        """See `Randomizer.randomize`."""
        rows = check_chosen(answers, self.domain_size, self.most)
        flips = self.coin.toss_noise(rows.size, bits=bits).reshape(rows.shape)
        return rows ^ flips

    def pack(self, reports: IntArray) -> bytes:
        """See `Reports.pack`."""
        return pack_integers(check_reports(reports.ravel(), 2, self.name), 1)

    def unpack(self, payload: bytes, n: int) -> IntArray:
        """See `Reports.unpack`."""
        return unpack_integers(payload, n * self.domain_size, 1).reshape(n, self.domain_size)

    def count(self, reports: IntArray) -> IntArray:
        """Ones of each value."""
        return np.asarray(reports.sum(axis=0), np.int64)

    def parameters(self) -> dict[str, Item]:
        """See `Reports.parameters`."""
        return parameters_of(self)


@dataclass(frozen=True, slots=True)
class OneBit(OfSymbols):
    """The phone draws one value, whatever the answer is, and sends the noisy bit of that value.

    Proof: which value is drawn does not depend on the answer, and one bit has the ratio (1-s)/s.

    Args:
        epsilon: asked, in nats; then the exact one, at most that.
        domain_size: k, number of values, >= 2.
        most: how many hold at most; it does not matter for epsilon.

    Raises:
        ParameterError: a number outside its range.

    Source:
        T. Nguyên et al., "Collecting and Analyzing Data from Smart Device Users with Local Differential Privacy",
        arXiv:1606.05053, section 4 (one sampled dimension).

    Example:
        >>> OneBit(1.0, domain_size=5, most=5).bits_per_report
        4
    """

    name: ClassVar[str] = "one bit"

    epsilon: float
    domain_size: int
    most: int
    coin: Coin = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        coin = _coin(self.epsilon, self.domain_size, self.most, 1)
        object.__setattr__(self, "coin", coin)
        object.__setattr__(self, "epsilon", log_up(coin.odds))

    @property
    def size(self) -> int:
        """For each value its zeros and its ones."""
        return 2 * self.domain_size

    @property
    def supports(self) -> tuple[Support, ...]:
        """Of each value: how often its bit is a one where it holds, and where it does not."""
        return _supports(self.coin, self.domain_size)

    def randomize(self, answers: npt.NDArray[np.integer], *, bits: Bits) -> IntArray:
        """(n,) int64: twice the drawn value, plus its noisy bit."""
        rows = check_chosen(answers, self.domain_size, self.most)
        drawn = uniform_integers(len(rows), self.domain_size, bits=bits)
        held = rows[np.arange(len(rows)), drawn]
        return 2 * drawn + (held ^ self.coin.toss_noise(len(rows), bits=bits))

    def parameters(self) -> dict[str, Item]:
        """See `Reports.parameters`."""
        return parameters_of(self)
