"""What the reports on one question tell an intruder: how likely they are under each answer.

Answers are those that anybody gave; of a number, the points of its grid that are nearest. Numbers between two points are
drawn to one of them by the phone, so the law of a point is the mean of the laws of the numbers that are nearest to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.attack.bayes import law_of_supports
from sfumato.attack.likelihood import of_bits, of_remembered_bits, of_remembered_symbols, of_supports
from sfumato.errors import InternalError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.encoding import IntegerReports
from sfumato.mechanism.local.hashing import Hashing
from sfumato.mechanism.local.longitudinal.d_bit_flip import DBitFlip
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import LUnary
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA, hash_cells
from sfumato.mechanism.local.longitudinal.wire import split
from sfumato.mechanism.local.subset_selection import Subset
from sfumato.mechanism.local.survey.cross import supported
from sfumato.mechanism.local.survey.randomizer import Choice, Coins, Number
from sfumato.mechanism.local.survey.several_answers import EveryBit, OneBit
from sfumato.mechanism.local.unary import Unary

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.mechanism.local.survey.remembered import Remembered
    from sfumato.release.collect.survey.mechanisms import Made
    from sfumato.types import BoolArray, FloatArray, IntArray

MOST_CELLS = 1 << 24
"""Reports times answers that are enumerated at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Who answered what, as the judge knows it; the shares are the intruder's, too.

    Args:
        kinds: (c,) codes or grid points, or (c, k) sets of 0 and 1: the different answers.
        truth: (n,) int64, which of them each person gave.
        law: (c, K) float64, P[report | answer] where a report is one number of few; None elsewhere.
    """

    kinds: IntArray
    truth: IntArray
    law: FloatArray | None

    @property
    def prior(self) -> FloatArray:
        """(c,) float64, the shares of the answers, all positive."""
        return np.bincount(self.truth, minlength=len(self.kinds)) / len(self.truth)


def known_of(reports: Made, answers: npt.NDArray[Any]) -> Known:
    """The answers of all persons to one question.

    Args:
        reports: of the question.
        answers: as its randomizer takes them, one row for each of at least one person.
    """
    if not isinstance(reports, Number):
        kinds, truth = np.unique(answers, axis=0, return_inverse=True)
        return Known(kinds, truth.ravel(), _law(reports, kinds))
    grid, matrix = reports.mechanism.grid, reports.mechanism.matrix()
    at = grid.positions(answers)
    kinds, truth = np.unique(np.rint(at).astype(np.int64), return_inverse=True)
    under = np.minimum(at.astype(np.int64), grid.steps - 1)
    weights = np.zeros((len(kinds), grid.steps + 1))
    np.add.at(weights, (truth, under), 1 - (at - under))
    np.add.at(weights, (truth, under + 1), at - under)
    return Known(kinds, truth.ravel(), weights @ matrix / weights.sum(axis=1, keepdims=True))


def _law(reports: Made, kinds: IntArray) -> FloatArray | None:
    """P[report | answer] where a report is one number of few."""
    if isinstance(reports, Coins):
        yes = np.where(kinds == 1, float(reports.design.yes_if_yes), float(reports.design.yes_if_no))
        return np.stack([1 - yes, yes], axis=1)
    if isinstance(reports, OneBit):
        ones = np.where(kinds == 1, float(reports.coin.truth), float(reports.coin.noise)) / reports.domain_size
        return np.stack([1 / reports.domain_size - ones, ones], axis=2).reshape(len(kinds), -1)
    if isinstance(reports, Choice) and isinstance(reports.oracle.encoding, IntegerReports):
        n_reports = reports.oracle.encoding.n_reports
        if n_reports * reports.size <= MOST_CELLS:
            every = shown(reports, np.arange(n_reports))
            return law_of_supports(every, reports.oracle.support.p)[kinds]
    return None


def shown(reports: Choice, rows: npt.NDArray[Any]) -> BoolArray:
    """(n, k) bool: which values each report supports.

    Example:
        >>> from sfumato.mechanism.local.grr import GRR
        >>> shown(Choice(GRR(1.0, 3)), np.array([2])).tolist()
        [[False, False, True]]
    """
    encoding, codes = reports.oracle.encoding, np.arange(reports.size)
    if isinstance(encoding, Hashing):
        hashed = encoding.buckets(rows["a"][:, None], rows["b"][:, None], codes)
        return np.asarray(hashed == rows["bucket"][:, None])
    if isinstance(encoding, Subset):
        out = np.zeros((len(rows), reports.size), bool)
        np.put_along_axis(out, rows, values=True, axis=1)
        return out
    if isinstance(encoding, Unary) or reports.name == "GRR":
        return supported(reports, rows)
    kinds, back = np.unique(rows, return_inverse=True)
    each = [reports.count(kinds[i : i + 1]) > 0 for i in range(len(kinds))]
    return np.array(each, bool).reshape(-1, reports.size)[back.ravel()]


def fresh(reports: Made, known: Known, rows: npt.NDArray[Any]) -> FloatArray:
    """(n, c) log-likelihoods of one report each that was drawn anew, up to a constant of the person."""
    if known.law is not None:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(known.law)[:, rows].T)
    if isinstance(reports, EveryBit):
        agree = rows @ known.kinds.T + (1 - rows) @ (1 - known.kinds.T)
        return np.asarray(agree * np.log(float(reports.coin.odds)))
    if not isinstance(reports, Choice):
        raise InternalError("An intruder must know how {mechanism} reports.", mechanism=reports.name)
    seen = shown(reports, rows)[:, known.kinds].astype(np.int64)
    if isinstance(reports.oracle.encoding, Unary):
        return of_bits(seen, 1, reports.oracle.support.p, reports.oracle.support.q)
    return of_supports(seen, reports.epsilon)


def remembered(reports: Remembered, known: Known, times: Sequence[IntArray]) -> FloatArray:
    """(n, c) log-likelihoods of all reports of each person from one remembered answer."""
    protocol, parts = reports.protocol, [split(reports.protocol, rows) for rows in times]
    traits = parts[0][1]
    if isinstance(protocol, LUnary):
        counts = np.asarray(np.sum([shows for shows, _ in parts], axis=0), np.int64)
        chain = protocol.chain
        both = ((float(chain.p1), float(chain.q1)), (float(chain.p2), float(chain.q2)))
        return of_remembered_bits(counts, len(parts), *both)[:, known.kinds]
    if isinstance(protocol, LGRR | LOLOHA):
        size = protocol.n_inputs
        counts = np.sum([np.eye(size, dtype=np.int64)[shows] for shows, _ in parts], axis=0)
        chain, eye = protocol.chain, np.eye(size, dtype=bool)
        answer, report = (float(chain.p1), float(chain.q1)), (float(chain.p2), float(chain.q2))
        found = of_remembered_symbols(counts, np.where(eye, *answer), np.where(eye, *report))
        if isinstance(protocol, LGRR):
            return found[:, known.kinds]
        return np.take_along_axis(found, hash_cells(traits, known.kinds[None], size), axis=1)
    if not isinstance(protocol, DBitFlip):
        raise InternalError("An intruder must know how {mechanism} reports.", mechanism=reports.name)
    inside = protocol.buckets(known.kinds)[None, :, None] == traits[:, None, :]  # dBitFlipPM sends the same each time
    toward = np.where(parts[0][0], 1.0, -1.0)[:, None, :]
    return np.asarray(np.log(float((1 - protocol.q1) / protocol.q1)) * (inside * toward).sum(axis=2))
