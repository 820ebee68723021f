"""How often the best guess of an answer is right from all reports on a question, exactly, or why that is not computed.

Reports are enumerated, or summed in closed form. Of hash functions, and of answers that phones drew to speak about, it is the
mean over those that they did draw, which does not depend on any answer. Persons are taken to keep their first answer.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.attack.bayes import law_of_supports, right_by_bits, right_by_buckets, right_by_law, right_by_sets
from sfumato.attack.bayes_again import (
    log_binomial,
    right_by_counts,
    right_by_draws,
    right_by_parts,
    right_by_remembered,
    ways,
)
from sfumato.errors import InternalError
from sfumato.mechanism.local.hashing import Hashing
from sfumato.mechanism.local.longitudinal.d_bit_flip import DBitFlip
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import LUnary
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA, hash_cells
from sfumato.mechanism.local.longitudinal.wire import split
from sfumato.mechanism.local.subset_selection import Subset
from sfumato.mechanism.local.survey.randomizer import Choice
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.mechanism.local.survey.several_answers import EveryBit
from sfumato.mechanism.local.unary import Unary
from sfumato.release.collect.survey.evidence import MOST_CELLS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from sfumato.release.collect.survey.evidence import Known
    from sfumato.release.collect.survey.mechanisms import Made
    from sfumato.types import FloatArray

Best: TypeAlias = float | str
"""A probability, or why it is not told."""
NOBODY = "nobody was asked"
"""Nothing is known of what phones would have drawn."""
_MANY = "its reports and answers make more than {most:,} cases"
_BLOCK = 1 << 22
"""Numbers that are held at a time, of persons whose hash functions are looked at together."""


def best_guess(reports: Made, known: Known, times: Sequence[npt.NDArray[Any]]) -> Best:
    """How often the best guess is right, exactly, from all reports of a person who is asked; or why that is not computed.

    Args:
        reports: of the question.
        known: who answered what.
        times: reports of the persons at each time at which the question is asked, a row each, in one order.
    """
    if not times or not len(times[0]):
        return NOBODY
    if isinstance(reports, Remembered):
        found = _remembered(reports, known, times)
    elif isinstance(reports, EveryBit):
        found = _of_every_bit(reports, known, len(times))
    elif known.law is not None:
        found = _of_law(known, known.law, len(times))
    else:
        found = _of_form(reports, known, times) if isinstance(reports, Choice) else None
    return _MANY.format(most=MOST_CELLS) if found is None else found


def _of_law(known: Known, law: FloatArray, n_reports: int) -> float | None:
    """Reports that are a number of few."""
    if n_reports == 1:
        return right_by_law(known.prior, law)
    if ways(n_reports, law.shape[1]) * max(law.shape) > MOST_CELLS:
        return None
    return right_by_counts(known.prior, law, n_reports)


def _of_form(reports: Choice, known: Known, times: Sequence[npt.NDArray[Any]]) -> float | None:
    """Reports of an oracle in closed form, or walked."""
    encoding, p, q = reports.oracle.encoding, reports.oracle.support.p, reports.oracle.support.q
    prior, every, n_reports = known.prior, np.zeros(reports.size), len(times)
    every[known.kinds] = prior
    if isinstance(encoding, Unary):
        if n_reports == 1:
            return right_by_bits(every, p, q)
        return _of_parts(prior, log_binomial(n_reports, p), log_binomial(n_reports, q))
    if isinstance(encoding, Subset):
        if n_reports == 1:
            return right_by_sets(every, p, encoding.size)
        n_sets = comb(reports.size, encoding.size)
        if n_sets * reports.size > MOST_CELLS:
            return None
        return _of_law(known, _law_of_sets(reports.size, encoding.size, p)[known.kinds], n_reports)
    return _of_hashing(encoding, p, known, times) if isinstance(encoding, Hashing) else None


def _law_of_sets(k: int, size: int, p: float) -> FloatArray:
    """(k, sets) float64: P[set | answer], all sets of so many answers."""
    from itertools import combinations

    held = np.zeros((comb(k, size), k), bool)
    np.put_along_axis(held, np.array(list(combinations(range(k), size))), values=True, axis=1)
    return law_of_supports(held, p)


def _of_hashing(encoding: Hashing, p: float, known: Known, times: Sequence[npt.NDArray[Any]]) -> float | None:
    """Buckets under hash functions that are drawn anew each time."""
    n, g, c = len(times[0]), encoding.n_buckets, len(known.kinds)

    def buckets(rows: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        return np.asarray(encoding.buckets(rows["a"][:, None], rows["b"][:, None], known.kinds))

    if len(times) == 1:
        return _mean_in_blocks(n, c * g, lambda some: right_by_buckets(known.prior, buckets(times[0][some]), g, p))
    if n * c * g ** len(times) > MOST_CELLS << 3:
        return None

    def walked(some: slice) -> FloatArray:
        hashed = np.stack([buckets(rows[some]) for rows in times], axis=1)
        laws = np.where(hashed[..., None] == np.arange(g), p, (1 - p) / (g - 1))
        return right_by_draws(known.prior, laws)

    return _mean_in_blocks(n, c * g ** len(times), walked)


def _mean_in_blocks(n: int, each: int, found: Callable[[slice], FloatArray]) -> float:
    """The mean over persons, of whom so many are looked at together as hold few numbers."""
    step = max(1, _BLOCK // each)
    return float(np.concatenate([found(slice(start, start + step)) for start in range(0, n, step)]).mean())


def _of_parts(prior: FloatArray, log_own: FloatArray, log_other: FloatArray) -> float | None:
    """Bits of each answer, or how often each of them came."""
    if (len(prior) * len(log_own)) ** 2 > MOST_CELLS << 6:
        return None
    return float(right_by_parts(prior[np.newaxis], np.zeros(1), log_own, log_other)[0])


def _of_every_bit(reports: EveryBit, known: Known, n_reports: int) -> float | None:
    """How often each bit came, in all ways, where they are few enough."""
    k, c = reports.domain_size, len(known.kinds)
    if k * np.log2(n_reports + 1) + np.log2(c) > np.log2(MOST_CELLS):
        return None
    flips = [np.exp(log_binomial(n_reports, float(one))) for one in (reports.coin.noise, reports.coin.truth)]
    law = np.ones((c, 1))
    for value in range(k):
        law = (law[:, :, None] * np.stack(flips)[known.kinds[:, value]][:, None, :]).reshape(c, -1)
    return right_by_law(known.prior, law)


def _remembered(reports: Remembered, known: Known, times: Sequence[npt.NDArray[Any]]) -> float | None:
    """All reports from one remembered answer."""
    protocol, n_reports = reports.protocol, len(times)
    traits = split(protocol, times[0])[1]
    if isinstance(protocol, DBitFlip):
        return _of_drawn_bits(protocol, known, traits)
    if not isinstance(protocol, LUnary | LGRR | LOLOHA):
        raise InternalError("An intruder must know how {mechanism} reports.", mechanism=reports.name)
    chain = protocol.chain
    p1, q1, p2, q2 = (float(one) for one in (chain.p1, chain.q1, chain.p2, chain.q2))
    if isinstance(protocol, LUnary):
        set_, clear = log_binomial(n_reports, p2), log_binomial(n_reports, q2)
        own, other = (np.logaddexp(np.log(one) + set_, np.log(1 - one) + clear) for one in (p1, q1))
        return _of_parts(known.prior, own, other)
    size, eye = protocol.n_inputs, np.eye(protocol.n_inputs, dtype=bool)
    if ways(n_reports, size) * size**2 > MOST_CELLS:
        return None
    rounds = (np.where(eye, p1, q1), np.where(eye, p2, q2))
    best = np.zeros((1, size))
    if isinstance(protocol, LOLOHA):
        best = np.zeros((len(traits), size))
        cells, rows = hash_cells(traits, known.kinds[None], size), np.arange(len(traits))
        for place in np.argsort(known.prior, kind="stable"):
            best[rows, cells[:, place]] = known.prior[place]
        best = np.sort(best, axis=1)  # the law is the same for all orders of the cells
    else:
        best[0, known.kinds] = known.prior
    return float(right_by_remembered(best, *rounds, n_reports).mean())


def _of_drawn_bits(protocol: DBitFlip, known: Known, traits: npt.NDArray[np.int64]) -> float | None:
    """dBitFlipPM: the same bits each time, about buckets that the phone drew."""
    n, d, c = len(traits), protocol.n_bits, len(known.kinds)
    if n * d * max(c, 4 * d) > MOST_CELLS << 3:
        return None
    buckets, q = protocol.buckets(known.kinds), float(protocol.q1)

    def found(some: slice) -> FloatArray:
        inside = buckets[None, :, None] == traits[some][:, None, :]
        best = np.where(inside, known.prior[None, :, None], 0.0).max(axis=1)
        rest = np.where(inside.any(axis=2), 0.0, known.prior[None]).max(axis=1)
        return right_by_parts(best, rest, np.log([q, 1 - q]), np.log([1 - q, q]))

    return _mean_in_blocks(n, d * max(c, 4), found)
