"""How well memoised reports tell two histories of places apart: the exact worst case, whenever the places change.

A history is the input of each report: a cell for vectors of bits, the hash of a cell for LOLOHA.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.mechanism.local.longitudinal.l_unary import LUnary
from sfumato.numbers.distinct import distinct

if TYPE_CHECKING:
    from sfumato.mechanism.local.longitudinal.chain import Chain
    from sfumato.mechanism.local.longitudinal.l_grr import LGRR
    from sfumato.mechanism.local.longitudinal.loloha import LOLOHA
    from sfumato.types import BoolArray, FloatArray, IntArray

_MOST_VIEWS = 2_000_000
_MARGIN = 1e-9


def history_loss(protocol: LUnary | LOLOHA, first: IntArray, second: IntArray) -> float:
    """Largest |ln P[reports | first] / P[reports | second]| over everything that can be reported.

    Answers to different inputs are independent, and so are the bits of a vector. One bit is reported with a law that
    depends only on how many ones it shows while an input lasts, so the worst view is found among the counts of ones
    in the moments that share both inputs. The largest ratios of the bits multiply.

    If the histories repeat at the same moments, m inputs cost at most m ε∞. If not, the loss has no bound that is free
    of the number of reports: a remembered answer that changes, or returns, says which moments have one value. Every
    bit says so, also those of cells where nobody was. Equal moments of cells do not help LOLOHA: different cells may
    share a hash. The worst view may be rare: this is the worst case, not what an adversary mostly sees.

    Args:
        protocol: L-SUE, L-OSUE, or LOLOHA with two inputs, given its hash function.
        first: (t,) int64 inputs, in the order of the reports.
        second: (t,) int64, the other history.

    Returns:
        epsilon in nats, raised by a part in 10⁹ for the rounding of floating point.

    Raises:
        ParameterError: histories of unequal length, inputs outside 0 … n_inputs - 1, LOLOHA with more than two inputs,
            or too many views. Remedy: fewer reports, or histories that change less often.

    Source:
        Enumerated for all histories of up to four reports by this package's tests.

    Example:
        >>> from sfumato.mechanism.local.longitudinal.loloha import LOLOHA
        >>> hashed = LOLOHA(domain_size=64, first=1.0, permanent=2.0, n_cells=2)
        >>> stay, other, move = np.zeros(40, np.int64), np.ones(40, np.int64), np.repeat([0, 1], 20)
        >>> round(history_loss(hashed, stay, other), 3), round(history_loss(hashed, stay, move), 1)
        (2.0, 27.9)
    """
    moments, runs = _moments(protocol, first, second)
    if not isinstance(protocol, LUnary):
        low, high = _bit(protocol.chain, moments == 1, moments, runs)
        return max(0.0, -low, high) * (1 + _MARGIN)
    visited = distinct(moments)
    bits = [_bit(protocol.chain, moments == cell, moments, runs) for cell in visited]
    unvisited = protocol.domain_size - len(visited)
    if unvisited:
        low, high = _bit(protocol.chain, np.zeros(moments.shape, bool), moments, runs)
        bits.append((unvisited * low, unvisited * high))
    return max(0.0, -sum(low for low, _ in bits), sum(high for _, high in bits)) * (1 + _MARGIN)


def repeated_loss(protocol: LUnary | LOLOHA | LGRR, runs: IntArray) -> float:
    """Exact loss between two histories that repeat at the same moments and never have the same input at once.

    Answers to different inputs are independent, so the losses of the runs add up. With R = (p2/q2)^n, n reports about one
    input against n about another lose ln of

        (p1 R + q1 (k-1)) / (p1 + q1 R + q1 (k-2))    for symbols (L-GRR; LOLOHA, k its cells),
        (p1 R + 1 - p1) / (q1 R + 1 - q1) · (q1 + (1-q1) R) / (p1 + (1-p1) R)    for vectors of bits.

    It is ε1 for one report and grows to ε∞. Proof: for symbols the ratio of a view with n_y reports of y is
    (A + p1 x + q1 z)/(A + p1 z + q1 x), x = r^n_a, z = r^n_b, A = q1 Σ r^n_y over the others; it rises with x and falls with
    z and, where above 1, with A, so the view of n times a is the worst. For bits, the bit of the first input shows ones and
    that of the second zeros (q2 = 1 - p2).

    Args:
        protocol: what is reported and how.
        runs: reports about each distinct input (for LOLOHA, each hash), each >= 1.

    Returns:
        epsilon in nats, raised by a part in 10⁹ for the rounding of floating point.

    Raises:
        ParameterError: no report.

    Example:
        >>> from sfumato.mechanism.local.longitudinal.l_grr import LGRR
        >>> grr = LGRR(domain_size=64, first=1.0, permanent=2.0)
        >>> [round(repeated_loss(grr, np.array([n])), 3) for n in (1, 3, 10)]
        [1.0, 1.997, 2.0]
    """
    n = np.asarray(runs, np.float64)
    if not n.size or n.min() < 1:
        raise ParameterError("Every input of a history needs a report; got a run of none.", "leave it out.")
    chain = protocol.chain
    p1, q1 = float(chain.p1), float(chain.q1)
    ratio = n * (np.log(float(chain.p2)) - np.log(float(chain.q2)))
    if isinstance(protocol, LUnary):
        ones = _log_mix(p1, ratio, 1 - p1) - _log_mix(q1, ratio, 1 - q1)
        loss = ones + _log_mix(1 - q1, ratio, q1) - _log_mix(1 - p1, ratio, p1)
    else:
        loss = _log_mix(p1, ratio, q1 * (protocol.n_inputs - 1)) - _log_mix(
            q1, ratio, p1 + q1 * (protocol.n_inputs - 2)
        )
    return float(loss.sum()) * (1 + _MARGIN)


def _log_mix(a: float, ratio: FloatArray, b: float) -> FloatArray:
    """ln(a e^ratio + b)."""
    return np.asarray(np.logaddexp(np.log(a) + ratio, np.log(b)))


def _moments(protocol: LUnary | LOLOHA, first: IntArray, second: IntArray) -> tuple[IntArray, IntArray]:
    """(2, c) the different pairs of inputs, and (c,) how many reports have each."""
    pairs = np.stack([np.asarray(first, np.int64), np.asarray(second, np.int64)]) if len(first) == len(second) else None
    if pairs is None or not pairs.size or pairs.min() < 0 or pairs.max() >= protocol.n_inputs:
        raise ParameterError(
            "Both histories need one input in 0 … {n_inputs} for each report.",
            "give two histories of one length.",
            n_inputs=protocol.n_inputs - 1,
        )
    if not isinstance(protocol, LUnary) and protocol.n_inputs != 2:
        raise ParameterError(
            "The loss of hashed histories is computed for 2 inputs; got {n_inputs}.",
            "hash to 2 cells.",
            n_inputs=protocol.n_inputs,
        )
    moments, runs = np.unique(pairs, axis=1, return_counts=True)
    if prod(int(n) + 1 for n in runs) > _MOST_VIEWS:
        raise ParameterError(
            "There are too many views of these histories to look at each.", "give fewer reports, or fewer changes."
        )
    return moments, runs.astype(np.int64)


def _bit(chain: Chain, held: BoolArray, moments: IntArray, runs: IntArray) -> tuple[float, float]:
    """Least and largest ln P[view | first] / P[view | second] of one bit.

    Args:
        chain: of the protocol.
        held: (2, c) whether the bit belongs to the input of each history.
        moments: (2, c) inputs.
        runs: (c,) reports.
    """
    ones = np.indices(tuple(n + 1 for n in runs)).reshape(len(runs), -1)
    laws = [_log_law(chain, held[i], moments[i], runs, ones) for i in (0, 1)]
    ratio = laws[0] - laws[1]
    return float(ratio.min()), float(ratio.max())


def _log_law(chain: Chain, held: BoolArray, inputs: IntArray, runs: IntArray, ones: IntArray) -> FloatArray:
    """(views,) ln P[view | history]: one remembered bit for each input, reported afresh."""
    p2, q2 = float(chain.p2), float(chain.q2)
    out = np.zeros(ones.shape[1])
    for value in distinct(inputs):
        own = inputs == value
        shown, hidden = ones[own].sum(axis=0), (runs[own, np.newaxis] - ones[own]).sum(axis=0)
        remembered = float(chain.p1 if held[own][0] else chain.q1)
        out += np.logaddexp(
            np.log(remembered) + shown * np.log(p2) + hidden * np.log1p(-p2),
            np.log1p(-remembered) + shown * np.log(q2) + hidden * np.log1p(-q2),
        )
    return out
