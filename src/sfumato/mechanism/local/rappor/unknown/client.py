"""What a person sends whose string nobody could list: three reports, derived from one secret; and many persons at once."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.client import RapporClient
from sfumato.mechanism.local.rappor.fleet import first_reports
from sfumato.mechanism.local.rappor.unknown.params import placed
from sfumato.noise.integers import uniform_integers
from sfumato.noise.portable import portable_integers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.rappor.unknown.params import UnknownParams
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray

_DOMAIN = b"sfumato.rappor-unknown/1"


@dataclass(frozen=True, slots=True)
class UnknownClient:
    """One client. Its pair of positions is drawn from its secret once, so that more reports tell no more positions.

    Args:
        params: of the collection.
        secret: 16 to 64 bytes, drawn by the operating system once and kept on the device.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> from sfumato.mechanism.local.rappor.unknown.params import UnknownParams
        >>> from sfumato.noise.bits import SystemBits
        >>> part = {"bits": 64, "hashes": 1, "cohorts": 8, "f": "1/4", "p": "1/4", "q": "3/4"}
        >>> both = UnknownParams(RapporParams("w", **part), RapporParams("p", **part), alphabet="abc", pad="_", length=6, size=2)
        >>> client = UnknownClient(both, bytes(32))
        >>> [report.shape for report in client.report("abba", bits=SystemBits())], client.pair in both.pairs
        ([(64,), (64,), (64,)], True)
    """

    params: UnknownParams
    secret: bytes = field(repr=False)
    pair: tuple[int, int] = field(init=False)
    _whole: RapporClient = field(init=False, repr=False, compare=False)
    _piece: RapporClient = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_whole", RapporClient(self.params.whole, self.secret))
        object.__setattr__(self, "_piece", RapporClient(self.params.piece, self.secret))
        both = bytes.fromhex(self.params.whole.digest + self.params.piece.digest)
        drawn = portable_integers(1, len(self.params.pairs), self.secret, _DOMAIN, b"pair", both)
        object.__setattr__(self, "pair", self.params.pairs[int(drawn[0])])

    @property
    def cohorts(self) -> tuple[int, int]:
        """Cohorts of the whole and of both pieces; they are sent along, as the pair is."""
        return self._whole.cohort, self._piece.cohort

    def report(self, value: str, *, bits: Bits) -> tuple[BoolArray, BoolArray, BoolArray]:
        """Reports of the whole, and of the pieces at the first and the second position.

        Args:
            value: the string.
            bits: fresh chance for these reports.

        Raises:
            ParameterError: a string that does not fit. Remedy: see `UnknownParams.cut`.
        """
        pieces = self.params.cut(value)
        one, two = (self._piece.report(placed(at, pieces[at]), bits=bits) for at in self.pair)
        return self._whole.report(value, bits=bits), one, two


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
