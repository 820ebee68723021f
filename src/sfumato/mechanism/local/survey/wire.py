"""The wire form of a whole survey: one phone's report of one time, or those of many phones.

Layout, version 1: the header of `mechanism.local.wire` with the name SURVEY, the digest of the survey (8 bytes) and the
number of its questions; the number of phones (8 bytes, little-endian); then columns, each filled up to whole bytes:

    time      of each phone, in as few bits as the last one needs; left out where there is one time
    group     of each phone, likewise; left out where there is one group
    asked     a bit for each phone and question, phone by phone; left out where every phone asks all questions
    reports   question by question, of the phones that ask it at that time

Numbers are written from the lowest bit up. A phone sends the same time once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.several.tuple_wire import read_head, write_head
from sfumato.mechanism.local.wire import pack_integers, unpack_integers

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.survey.randomizer import Reports
    from sfumato.types import BoolArray, IntArray

NAME = "SURVEY"
_CURE = "send what a phone with this survey makes."


@dataclass(frozen=True, slots=True)
class Shape:
    """What both sides must know of a survey to write and read reports.

    Args:
        digest: eight bytes that stand for the whole document.
        questions: how each is reported.
        due: for each question the times at which it is asked, ascending, from 0.
        times: of the survey, >= 1.
        groups: >= 1.
        asks: questions that each phone draws, 1 … number of questions.
    """

    digest: bytes
    questions: tuple[Reports, ...]
    due: tuple[tuple[int, ...], ...]
    times: int
    groups: int
    asks: int

    def due_at(self, question: int, times: IntArray) -> BoolArray:
        """(n,) bool: whether a question is asked at each time."""
        table = np.zeros(self.times, bool)
        table[list(self.due[question])] = True
        return np.asarray(table[times])


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """Reports of n phones.

    Args:
        time: (n,) int64, 0 … times-1.
        group: (n,) int64, 0 … groups-1.
        asked: (n, d) bool, which questions each phone has drawn.
        reports: of each question, one row for each phone that asks it at its time, in the order of the phones.
    """

    time: IntArray
    group: IntArray
    asked: BoolArray
    reports: tuple[npt.NDArray[Any], ...]

    def senders(self, shape: Shape, question: int) -> BoolArray:
        """(n,) bool: the phones that report on a question."""
        return self.asked[:, question] & shape.due_at(question, self.time)


def to_bytes(shape: Shape, filled: Filled) -> bytes:
    """The wire form of reports.

    Args:
        shape: of the survey.
        filled: what n phones say.

    Example:
        >>> from sfumato.mechanism.local.grr import GRR
        >>> from sfumato.mechanism.local.survey.randomizer import Choice
        >>> shape = Shape(bytes(8), (Choice(GRR(1.0, 4)),), ((0,),), times=1, groups=2, asks=1)
        >>> one = Filled(np.array([0]), np.array([1]), np.array([[True]]), (np.array([3]),))
        >>> to_bytes(shape, one)[-2:].hex()
        '0103'
    """
    d, n = len(shape.questions), len(filled.time)
    parts = [write_head(NAME, shape.digest, d, n)]
    parts.append(pack_integers(filled.time, _width(shape.times)))
    parts.append(pack_integers(filled.group, _width(shape.groups)))
    if shape.asks < d:
        parts.append(pack_integers(filled.asked.ravel().astype(np.int64), 1))
    parts += [question.pack(rows) for question, rows in zip(shape.questions, filled.reports, strict=True)]
    return b"".join(parts)


def from_bytes(shape: Shape, data: bytes) -> Filled:
    """Reports from anyone at all, checked.

    Raises:
        ReportError: another survey or version, bytes missing or left over, a time, a group or a number of questions that
            the survey does not have, or a report that no phone makes. Remedy: one document on both sides.
    """
    d = len(shape.questions)
    n, rest = read_head(NAME, shape.digest, d, data)
    if n > 8 * len(rest):  # every phone sends at least one bit: nothing is made for a number that is a lie
        raise _cut()
    reader = _Reader(rest)
    time = reader.numbers(n, _width(shape.times), shape.times)
    group = reader.numbers(n, _width(shape.groups), shape.groups)
    asked = np.ones((n, d), bool)
    if shape.asks < d:
        asked = reader.numbers(n * d, 1, 2).reshape(n, d).astype(bool)
        if np.any(asked.sum(axis=1) != shape.asks):
            raise ReportError("Each phone must ask {asks} of the questions; one does not.", _CURE, asks=shape.asks)
    empty = Filled(time, group, asked, ())
    found = []
    for i, question in enumerate(shape.questions):
        n_rows = int(np.count_nonzero(empty.senders(shape, i)))
        found.append(question.unpack(reader.bits(n_rows * question.bits_per_report), n_rows))
    reader.end()
    return Filled(time, group, asked, tuple(found))


class _Reader:
    """The bytes that are still to be read."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def bits(self, n: int) -> bytes:
        """The next n bits, in whole bytes."""
        start, self._at = self._at, self._at + -(-n // 8)
        if self._at > len(self._data):
            raise _cut()
        return self._data[start : self._at]

    def numbers(self, n: int, width: int, high: int) -> IntArray:
        """The next n numbers below `high`."""
        if not width:
            return np.zeros(n, np.int64)
        found = unpack_integers(self.bits(n * width), n, width)
        if len(found) and found.max() >= high:
            raise ReportError("A report must name a time and a group of this survey; one does not.", _CURE)
        return found

    def end(self) -> None:
        """Nothing may be left."""
        if self._at != len(self._data):
            raise _cut()


def _cut() -> ReportError:
    return ReportError("The bytes of a survey are too few or too many for the number of phones.", "send them again.")


def _width(n: int) -> int:
    """Bits of numbers below n."""
    return (n - 1).bit_length()
