"""The wire form of RAPPOR reports: that of every oracle, with the cohort of each report before the bits.

Behind the header of `mechanism.local.wire` (name `RAPPOR`, the first eight bytes of the parameters' digest, number
of reports) stand the cohorts, each in ceil(log2 m) bits, then ceil(k/8) bytes for each report; bit j of a report is
bit j mod 8 of its byte j div 8. Clients of version 0.1.0 send a JSON document with a list of cohorts; it is read too.
"""

from __future__ import annotations

import binascii
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.wire import DIGEST_BYTES, pack_integers, seal, unpack_integers, unseal

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.table.values import Table
    from sfumato.types import BoolArray, IntArray

NAME = "RAPPOR"
FORMER = "sfumato.rappor-batch/1"
"""The batches of clients of version 0.1.0."""
MOST_REPORTS = 1_000_000

_CURE = "send what the client of this collection makes."


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """Some reports of one collection, as they travel.

    Args:
        cohorts: (n,) int64, 0 … m-1.
        packed: (n, ceil(k/8)) uint8; bit j of a report is bit j mod 8 of its byte j div 8, bits beyond k are 0.
    """

    cohorts: IntArray
    packed: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.cohorts)


def packed(cohorts: IntArray, reports: BoolArray) -> Reports:
    """Reports of (n, k) bool, as they travel."""
    return Reports(cohorts, np.packbits(reports, axis=1, bitorder="little"))


def to_bytes(params: RapporParams, reports: Reports) -> bytes:
    """The wire form of reports.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> tiny = RapporParams("tiny", bits=2, hashes=1, cohorts=2, f="1/2", p="1/2", q="3/4")
        >>> sent = to_bytes(tiny, packed(np.array([1, 1]), np.array([[True, False], [True, True]])))
        >>> len(sent), from_bytes(tiny, sent).cohorts.tolist(), from_bytes(tiny, sent).packed.tolist()
        (20, [1, 1], [[1], [3]])
    """
    payload = pack_integers(reports.cohorts, _cohort_bits(params)) + reports.packed.tobytes()
    return seal(NAME, _parameters(params), len(reports), payload)


def from_bytes(params: RapporParams, data: bytes) -> Reports:
    """The reports of a wire form from anyone at all: every part of it is checked.

    Raises:
        ReportError: no such bytes, other parameters, a cohort or length that does not fit, bits beyond k. The message
            names what is wrong and never shows a report.
    """
    bits, width = _cohort_bits(params), _width(params)
    n, payload = unseal(NAME, _parameters(params), data, bits + 8 * width)
    end = -(-n * bits // 8)
    cohorts = unpack_integers(payload[:end], n, bits)
    if params.cohorts < 2**bits and np.any(cohorts >= params.cohorts):
        raise _no_cohort(params)
    return Reports(cohorts, _rows(params, np.frombuffer(payload, np.uint8, offset=end).reshape(n, width)))


def from_former(params: RapporParams, data: Table) -> Reports:
    """The reports of a parsed document of version 0.1.0, checked alike; its id and digest are the reader's business.

    Raises:
        ReportError: as `from_bytes`.
    """
    given, text = data["cohorts"], data["reports"]
    if not isinstance(given, list) or not 0 < len(given) <= MOST_REPORTS:
        raise ReportError("A batch must have 1 to {most_reports} reports.", "split it.", most_reports=MOST_REPORTS)
    if set(map(type, given)) != {int} or not 0 <= min(given) <= max(given) < params.cohorts:
        raise _no_cohort(params)
    n, width = len(given), _width(params)
    if not isinstance(text, str) or len(text) != 4 * -(-n * width // 3):
        raise ReportError(
            "{n} reports of {bits} bits are {width} bytes in base64; these are not.",
            _CURE,
            n=n,
            bits=params.bits,
            width=n * width,
        )
    try:
        rows = np.frombuffer(binascii.a2b_base64(text, strict_mode=True), np.uint8)
    except (binascii.Error, ValueError) as error:
        raise ReportError("Reports must be written in base64.", _CURE) from error
    if len(rows) != n * width:
        raise ReportError(
            "{n} reports of {bits} bits are {width} bytes; these are not.",
            _CURE,
            n=n,
            bits=params.bits,
            width=n * width,
        )
    return Reports(np.array(given, np.int64), _rows(params, rows.reshape(n, width)))


def _rows(params: RapporParams, rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Packed reports without bits beyond the last."""
    if params.bits % 8 and np.any(rows[:, -1] >> params.bits % 8):
        raise ReportError("A report has {bits} bits; one has a 1 beyond them.", _CURE, bits=params.bits)
    return rows


def _no_cohort(params: RapporParams) -> ReportError:
    return ReportError("A cohort must be a whole number from 0 to {largest}.", _CURE, largest=params.cohorts - 1)


def _parameters(params: RapporParams) -> bytes:
    return bytes.fromhex(params.digest)[:DIGEST_BYTES]


def _cohort_bits(params: RapporParams) -> int:
    return (params.cohorts - 1).bit_length()


def _width(params: RapporParams) -> int:
    """Bytes of the bits of one report."""
    return -(-params.bits // 8)
