"""The joint of survey questions: how answers become reports, how these travel and are counted; and questions asked once.

The reports of n persons are an array of n rows. Counts of reports are a vector that merges by addition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.check import check_reports
from sfumato.mechanism.local.oracle import Support
from sfumato.mechanism.local.survey.public import parameters_of
from sfumato.mechanism.local.wire import pack_integers, unpack_integers

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.numeric.base import NumericMechanism
    from sfumato.mechanism.local.oracle import FrequencyOracle
    from sfumato.mechanism.local.randomized_response import YesNoDesign
    from sfumato.noise.bits import Bits
    from sfumato.table.values import Item
    from sfumato.types import FloatArray, IntArray


class Reports(Protocol):
    """What the server knows of one question: how its reports travel, and how they are counted."""

    @property
    def name(self) -> str:
        """Of the mechanism."""
        ...

    @property
    def epsilon(self) -> float:
        """Exact epsilon of one report, in nats, rounded up."""
        ...

    @property
    def size(self) -> int:
        """Length of the vector of counts."""
        ...

    @property
    def bits_per_report(self) -> int:
        """Bits of one report on the wire."""
        ...

    def pack(self, reports: npt.NDArray[Any]) -> bytes:
        """Reports as bytes; each begins where the one before ends, the last is filled up to whole bytes."""
        ...

    def unpack(self, payload: bytes, n: int) -> npt.NDArray[Any]:
        """The n reports of a payload of the right length, checked.

        Raises:
            ReportError: they are none of this question.
        """
        ...

    def count(self, reports: npt.NDArray[Any]) -> IntArray:
        """(size,) int64: what the reports add to the counts."""
        ...

    def parameters(self) -> dict[str, Item]:
        """What devices need to know, exactly, as plain data."""
        ...


class Randomizer(Reports, Protocol):
    """What a phone does with the answer to one question, anew each time it is asked."""

    def randomize(self, answers: npt.NDArray[Any], *, bits: Bits) -> npt.NDArray[Any]:
        """Reports of n persons, a row each; answers are checked before any chance is drawn."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values by a frequency oracle. Answers are codes 0 … k-1.

    Args:
        oracle: with its epsilon and domain.

    Example:
        >>> from sfumato.mechanism.local.grr import GRR
        >>> one = Choice(GRR(1.0, 3))
        >>> one.count(one.unpack(one.pack(np.array([2, 0])), 2)).tolist()
        [1, 0, 1]
    """

    oracle: FrequencyOracle[Any]

    @property
    def name(self) -> str:
        """Of the oracle."""
        return self.oracle.name

    @property
    def epsilon(self) -> float:
        """Of the oracle."""
        return self.oracle.epsilon

    @property
    def size(self) -> int:
        """One support for each value."""
        return self.oracle.domain_size

    @property
    def supports(self) -> tuple[Support, ...]:
        """Of each value: how often a report supports it where it holds, and where it does not."""
        return (self.oracle.support,) * self.size

    @property
    def bits_per_report(self) -> int:
        """Of the oracle."""
        return self.oracle.bits_per_report

    def randomize(self, answers: IntArray, *, bits: Bits) -> npt.NDArray[Any]:
        """See `Randomizer.randomize`."""
        out: npt.NDArray[Any] = self.oracle.randomize(answers, bits=bits)
        return out

    def pack(self, reports: npt.NDArray[Any]) -> bytes:
        """See `Reports.pack`."""
        return self.oracle.encoding.pack(self.oracle.encoding.checked(reports, self.name))

    def unpack(self, payload: bytes, n: int) -> npt.NDArray[Any]:
        """See `Reports.unpack`."""
        encoding = self.oracle.encoding
        out: npt.NDArray[Any] = encoding.checked(encoding.unpack(payload, n, self.name), self.name)
        return out

    def count(self, reports: npt.NDArray[Any]) -> IntArray:
        """Reports that support each value."""
        return self.oracle.count_support(reports)

    def parameters(self) -> dict[str, Item]:
        """See `Reports.parameters`."""
        return parameters_of(self.oracle)


class OfSymbols:
    """What questions share whose report is one number 0 … size-1."""

    __slots__ = ()

    @property
    def bits_per_report(self: Reports) -> int:
        """As many as the largest report needs."""
        return (self.size - 1).bit_length()

    def pack(self: Reports, reports: IntArray) -> bytes:
        """See `Reports.pack`."""
        return pack_integers(check_reports(reports, self.size, self.name), self.bits_per_report)

    def unpack(self: Reports, payload: bytes, n: int) -> IntArray:
        """See `Reports.unpack`."""
        return check_reports(unpack_integers(payload, n, self.bits_per_report), self.size, self.name)

    def count(self: Reports, reports: IntArray) -> IntArray:
        """How often each report came."""
        return np.bincount(reports, minlength=self.size).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Coins(OfSymbols):
    """Yes or no by a classical design. Answers are 0 (no) or 1 (yes), and so are reports.

    Args:
        design: its two probabilities of a reported yes.

    Example:
        >>> from sfumato.mechanism.local.randomized_response import forced_response
        >>> Coins(forced_response("2/3", "1/6")).parameters()["yes_if_yes"]
        '5/6'
    """

    design: YesNoDesign

    @property
    def name(self) -> str:
        """Of the design."""
        return self.design.name

    @property
    def epsilon(self) -> float:
        """Of the design."""
        return self.design.epsilon

    @property
    def size(self) -> int:
        """No and yes."""
        return 2

    def randomize(self, answers: IntArray, *, bits: Bits) -> IntArray:
        """See `Randomizer.randomize`."""
        return self.design.randomize(answers, bits=bits).astype(np.int64)

    def count(self, reports: IntArray) -> IntArray:
        """Reports that support no and yes: which they say, or the opposite where yes is said more often for no."""
        found = OfSymbols.count(self, reports)
        return found if self.design.c > 0 else found[::-1]

    @property
    def supports(self) -> tuple[Support, ...]:
        """Of no and of yes: how often a report supports it where it is true, and where it is not."""
        a, b = float(self.design.yes_if_yes), float(self.design.yes_if_no)
        return (Support(1 - b, 1 - a), Support(a, b)) if self.design.c > 0 else (Support(b, a), Support(1 - a, 1 - b))

    def parameters(self) -> dict[str, Item]:
        """See `Reports.parameters`."""
        return {"yes_if_yes": str(self.design.yes_if_yes), "yes_if_no": str(self.design.yes_if_no)}


@dataclass(frozen=True, slots=True)
class Number(OfSymbols):
    """A number between declared bounds by a numeric mechanism. Answers are real numbers, reports are codes.

    Args:
        mechanism: with its grid and epsilon.

    Example:
        >>> from sfumato.mechanism.local.numeric.duchi import Duchi
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> Number(Duchi(Grid(0.0, 10.0, steps=4), 1.0)).count(np.array([1, 1, 0])).tolist()
        [1, 2]
    """

    mechanism: NumericMechanism

    @property
    def name(self) -> str:
        """Of the mechanism."""
        return self.mechanism.name

    @property
    def epsilon(self) -> float:
        """Of the mechanism."""
        return self.mechanism.epsilon

    @property
    def size(self) -> int:
        """One count for each report that is possible."""
        return self.mechanism.n_outputs

    def randomize(self, answers: FloatArray | IntArray, *, bits: Bits) -> IntArray:
        """See `Randomizer.randomize`."""
        return self.mechanism.randomize(answers, bits=bits)

    def parameters(self) -> dict[str, Item]:
        """See `Reports.parameters`."""
        return parameters_of(self.mechanism)
