"""What arrives from many persons who report unknown strings? And what would they send, all at once?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.fleet import first_reports
from sfumato.mechanism.local.rappor.unknown.params import placed
from sfumato.noise.integers import uniform_integers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.rappor.unknown.params import UnknownParams
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class UnknownReports:
    """First reports of many persons, row by row; counts of bits would not tell which pieces go together.

    Args:
        pair: (n,) int64 place of each person's pair among `UnknownParams.pairs`.
        whole_cohorts: (n,) int64.
        whole: (n, k) bool.
        piece_cohorts: (n,) int64, the same for both pieces.
        first: (n, k') bool, the piece at the first position of the pair.
        second: (n, k') bool, at the second.
    """

    pair: IntArray
    whole_cohorts: IntArray
    whole: BoolArray
    piece_cohorts: IntArray
    first: BoolArray
    second: BoolArray


def many_first_reports(params: UnknownParams, values: Sequence[str], held: IntArray, *, bits: Bits) -> UnknownReports:
    """First reports of persons with secrets of their own, drawn together.

    Args:
        params: of the collection.
        values: (v,) distinct strings.
        held: (n,) int64 place of each person's string.
        bits: source of chance.

    Raises:
        ParameterError: a string that does not fit. Remedy: see `UnknownParams.cut`.
    """
    pieces = [params.cut(one) for one in values]
    n, slots = len(held), np.array(params.pairs, np.int64)
    pair = uniform_integers(n, len(slots), bits=bits)
    cohorts = [uniform_integers(n, one.cohorts, bits=bits) for one in (params.whole, params.piece)]
    whole = first_reports(params.whole, design_bits(params.whole, values)[held, cohorts[0]], bits=bits)
    design = np.stack(
        [design_bits(params.piece, [placed(at, one[at]) for one in pieces]) for at in range(params.positions)]
    )
    both = [first_reports(params.piece, design[slots[pair, side], held, cohorts[1]], bits=bits) for side in (0, 1)]
    return UnknownReports(pair, cohorts[0], whole, cohorts[1], both[0], both[1])
