"""How do RAPPOR reports travel? Many in one JSON document, behind the digest of their parameters and a batch id.

`{"format": "sfumato.rappor-batch/1", "collection": digest, "batch": id, "cohorts": [...], "reports": base64}`.
The base64 text holds ceil(k/8) bytes for each report, in the order of the cohorts; bit j of a report is bit j mod 8
of its byte j div 8. The id makes a retry harmless: the server counts each id once.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ReportError

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.types import BoolArray, IntArray

FORMAT = "sfumato.rappor-batch/1"
MOST_REPORTS = 1_000_000
MOST_ID = 128
"""Characters of a batch id."""

_KEYS = {"format", "collection", "batch", "cohorts", "reports"}
_CURE = "send what the client of this collection makes."


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some reports of one collection.

    Args:
        batch: id, 1 … 128 printable characters; a client that retries sends the same one.
        cohorts: (n,) int64, 0 … m-1.
        reports: (n, k) bool.
    """

    batch: str
    cohorts: IntArray
    reports: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class PackedBatch:
    """A batch as it travels, an eighth of the size.

    Args:
        batch: id.
        cohorts: (n,) int64, 0 … m-1.
        packed: (n, ceil(k/8)) uint8; bit j of a report is bit j mod 8 of its byte j div 8, bits beyond k are 0.
    """

    batch: str
    cohorts: IntArray
    packed: npt.NDArray[np.uint8]


def to_json(params: RapporParams, batch: Batch) -> str:
    """The wire form of a batch.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> tiny = RapporParams("tiny", bits=2, hashes=1, cohorts=2, f="1/2", p="1/2", q="3/4")
        >>> sent = to_json(tiny, Batch("b1", np.array([1]), np.array([[True, False]])))
        >>> json.loads(sent)["reports"], from_json(tiny, sent).reports.tolist()
        ('AQ==', [[True, False]])
    """
    packed = np.packbits(batch.reports, axis=1, bitorder="little")
    return json.dumps(
        {
            "format": FORMAT, "collection": params.digest, "batch": batch.batch, "cohorts": batch.cohorts.tolist(),
            "reports": base64.b64encode(packed.tobytes()).decode(),
        }
    )  # fmt: skip


def from_json(params: RapporParams, text: str | bytes) -> Batch:
    """The batch of a document from anyone at all: every part of it is checked.

    Args:
        params: of the collection that the server keeps.
        text: as it arrived.

    Raises:
        ReportError: no such document, other parameters, a cohort or length that does not fit, bits beyond k.
            The message names what is wrong and never shows a report.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReportError("A batch must be JSON.", _CURE) from error
    found = from_data(params, data)
    bits = np.unpackbits(found.packed, axis=1, count=params.bits, bitorder="little")
    return Batch(found.batch, found.cohorts, bits.view(bool))


def from_data(params: RapporParams, data: object) -> PackedBatch:
    """The batch of a parsed document, checked as `from_json` does."""
    if not isinstance(data, dict) or set(data) != _KEYS or data["format"] != FORMAT:
        raise ReportError("A batch must have the format {format!r} and exactly its keys.", _CURE, format=FORMAT)
    if data["collection"] != params.digest:
        raise ReportError(
            "A batch must come from clients with the server's parameters; these are others.",
            "give both the same document.",
        )
    name = data["batch"]
    if not isinstance(name, str) or not 0 < len(name) <= MOST_ID or not name.isprintable():
        raise ReportError("A batch id must be a text of 1 to {most_id} printable characters.", _CURE, most_id=MOST_ID)
    cohorts = _cohorts(params, data["cohorts"])
    return PackedBatch(name, cohorts, _packed(params, len(cohorts), data["reports"]))


def _cohorts(params: RapporParams, given: object) -> IntArray:
    """The cohort of each report."""
    if not isinstance(given, list) or not 0 < len(given) <= MOST_REPORTS:
        raise ReportError("A batch must have 1 to {most_reports} reports.", "split it.", most_reports=MOST_REPORTS)
    if set(map(type, given)) != {int} or not 0 <= min(given) <= max(given) < params.cohorts:
        raise ReportError("A cohort must be a whole number from 0 to {cohorts}.", _CURE, cohorts=params.cohorts - 1)
    return np.array(given, np.int64)


def _packed(params: RapporParams, n: int, given: object) -> npt.NDArray[np.uint8]:
    """The bytes of each report."""
    width = -(-params.bits // 8)
    if not isinstance(given, str) or len(given) != 4 * -(-n * width // 3):
        raise ReportError(
            "{n} reports of {bits} bits are {n2} bytes in base64; these are not.",
            _CURE,
            n=n,
            bits=params.bits,
            n2=n * width,
        )
    try:
        packed = np.frombuffer(binascii.a2b_base64(given, strict_mode=True), np.uint8)
    except (binascii.Error, ValueError) as error:
        raise ReportError("Reports must be written in base64.", _CURE) from error
    if len(packed) != n * width:
        raise ReportError(
            "{n} reports of {bits} bits are {n2} bytes; these are not.", _CURE, n=n, bits=params.bits, n2=n * width
        )
    rows = packed.reshape(n, width)
    if params.bits % 8 and np.any(rows[:, -1] >> params.bits % 8):
        raise ReportError("A report has {bits} bits; one has a 1 beyond them.", _CURE, bits=params.bits)
    return rows
