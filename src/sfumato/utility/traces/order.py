"""How foreseeable the order of a person's places is: the entropy rate of visits, by matches of the past (Lempel-Ziv)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray

SOURCE = (
    "I. Kontoyiannis, P. Algoet, Y. Suhov, A. Wyner, IEEE Transactions on Information Theory 44(3), 1998; C. Song et al., "
    "Science 327, 2010: actual entropy"
)
MOST_VISITS = 10_000
"""First visits of a person that are read."""
_SURROGATES, _GAP = 0xD800, 0x800


def order_entropy(traces: Traces, region: Region) -> FloatArray:
    """(persons,) float64 bits a visit: n log₂ n / Σ Λ_i; NaN for persons with fewer than two visits.

    A visit is a run of fixes in one cell. Λ_i is the length of the shortest piece of the order of visits that begins with
    the i-th and is nowhere in the visits before it; where all that is left was seen before, its length and one more.

    Args:
        traces: all fixes.
        region: whose cells are places.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> there = np.array([0.0, 0.01] * 4)
        >>> swings = Traces("UTC", ("a",), np.zeros(8, int), np.arange(8) * 1000, there, np.zeros(8))
        >>> order_entropy(swings, Region(Plane(0, 0), 1000, 2, 1)).round(3).tolist()
        [1.091]
    """
    cell = region.codes_of(traces.latitude, traces.longitude)
    visit = np.flatnonzero((np.diff(cell, prepend=-1) != 0) | (np.diff(traces.person, prepend=-1) != 0))
    person, place = traces.person[visit], cell[visit]
    starts = np.searchsorted(person, np.arange(len(traces.persons) + 1)).tolist()
    out = np.full(len(traces.persons), np.nan)
    for who, (begin, end) in enumerate(pairwise(starts)):
        n = min(end - begin, MOST_VISITS)
        if n >= 2:
            out[who] = n * np.log2(n) / sum(new_lengths(place[begin : begin + n]))
    return out


def new_lengths(places: IntArray) -> list[int]:
    """Λ_i for each place of one order.

    Proof: what begins with the next place and was seen before is at most one place shorter, so lengths are found by going
    on from there; each is looked for by a search for a text in a text.

    Args:
        places: (n,) int64.

    Example:
        >>> new_lengths(np.array([5, 7, 5, 7, 5]))
        [1, 1, 3, 3, 2]
    """
    code = np.unique(places, return_inverse=True)[1].ravel()
    text = "".join(map(chr, np.where(code >= _SURROGATES, code + _GAP, code).tolist()))
    n, length, out = len(text), 0, []
    for i in range(n):
        length = max(length - 1, 0)
        while i + length < n and text.find(text[i : i + length + 1], 0, i) >= 0:
            length += 1
        out.append(length + 1)
    return out
