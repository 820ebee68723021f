"""The wire form of memoised protocols: traits and parts of each person, in as few bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ReportError
from sfumato.mechanism.local.wire import digest, seal, unseal

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.longitudinal.protocol import Longitudinal
    from sfumato.types import IntArray

_NAME = "longitudinal"


def to_bytes(protocol: Longitudinal, reports: npt.NDArray[Any], traits: IntArray) -> bytes:
    """The wire form of one collection: header, then for each person traits and report, lowest bit first.

    Args:
        protocol: what made the reports.
        reports: n rows of one collection.
        traits: (n, t) int64, of the same persons.

    Raises:
        ReportError: numbers outside their range or of another number of persons.

    Example:
        >>> from sfumato.mechanism.local.longitudinal.l_grr import LGRR
        >>> protocol = LGRR(domain_size=4, first=1.0, permanent=2.0)
        >>> data = to_bytes(protocol, np.array([3, 0]), np.empty((2, 0), np.int64))
        >>> from_bytes(protocol, data)[0].tolist()
        [3, 0]
    """
    return seal(_NAME, digest(_NAME, protocol.label), len(traits), pack(protocol, rows_of(reports, traits)))


def from_bytes(protocol: Longitudinal, data: bytes) -> tuple[npt.NDArray[Any], IntArray]:
    """Reports and traits of a wire form, as `count_support` takes them.

    Args:
        protocol: the server's, with the same parameters.
        data: what came.

    Raises:
        ReportError: another protocol or parameters, missing bytes, or numbers outside their range.
    """
    n, payload = unseal(_NAME, digest(_NAME, protocol.label), data, bits_per_person(protocol))
    return split(protocol, unpack(protocol, payload, n))


def bits_per_person(protocol: Longitudinal) -> int:
    """Bits of the traits and the report of one person."""
    form = protocol.form
    return form.n_traits * _width(form.trait_size) + form.n_parts * _width(form.n_symbols)


def rows_of(reports: npt.NDArray[Any], traits: IntArray) -> IntArray:
    """(n, t + parts) int64: of each person the traits, then the report.

    Raises:
        ReportError: another number of reports than of traits. Remedy: send both.
    """
    parts = np.asarray(reports, np.int64)
    parts = parts[:, np.newaxis] if parts.ndim == 1 else parts
    if len(parts) != len(traits):
        raise ReportError(
            "Each report needs its traits; got {n_parts} reports, {n} traits.",
            "send both.",
            n_parts=len(parts),
            n=len(traits),
        )
    return np.concatenate([traits, parts], axis=1)


def split(protocol: Longitudinal, rows: IntArray) -> tuple[npt.NDArray[Any], IntArray]:
    """Reports and traits of such rows, as `count_support` takes them."""
    form = protocol.form
    parts = rows[:, form.n_traits :]
    return (parts.astype(bool) if form.is_bits else parts[:, 0]), rows[:, : form.n_traits]


def pack(protocol: Longitudinal, rows: IntArray) -> bytes:
    """Rows of traits and parts, each number in as few bits as its range needs, lowest bit first.

    Raises:
        ReportError: numbers outside their range.
    """
    form = protocol.form
    traits, parts = rows[:, : form.n_traits], rows[:, form.n_traits :]
    _check(traits, form.n_traits, form.trait_size)
    _check(parts, form.n_parts, form.n_symbols)
    bits = np.concatenate([_to_bits(traits, form.trait_size), _to_bits(parts, form.n_symbols)], axis=1)
    return np.packbits(bits.ravel(), bitorder="little").tobytes()


def unpack(protocol: Longitudinal, payload: bytes, n: int) -> IntArray:
    """The rows that `pack` packed, out of a payload of the right length.

    Raises:
        ReportError: bits beyond the last report, or numbers outside their range.
    """
    form, width = protocol.form, bits_per_person(protocol)
    bits = np.unpackbits(np.frombuffer(payload, np.uint8), bitorder="little")
    if bits[n * width :].any():
        raise ReportError("Bits beyond the last report must be zero.", "send the reports again.")
    rows, end = bits[: n * width].reshape(n, width), form.n_traits * _width(form.trait_size)
    traits = _from_bits(rows[:, :end], form.n_traits, form.trait_size)
    return np.concatenate([traits, _from_bits(rows[:, end:], form.n_parts, form.n_symbols)], axis=1)


def _width(size: int) -> int:
    """Bits for numbers 0 … size-1."""
    return (size - 1).bit_length()


def _to_bits(numbers: IntArray, size: int) -> npt.NDArray[np.uint8]:
    """(n, m) numbers as (n, m width) bits."""
    shifts = np.arange(_width(size), dtype=np.int64)
    bits = ((numbers[:, :, np.newaxis] >> shifts) & 1).astype(np.uint8)
    return bits.reshape(len(numbers), numbers.shape[1] * len(shifts))


def _from_bits(bits: npt.NDArray[np.uint8], columns: int, size: int) -> IntArray:
    """The inverse of `_to_bits`, checked."""
    powers = np.int64(1) << np.arange(_width(size), dtype=np.int64)
    numbers = np.asarray(bits.reshape(len(bits), columns, _width(size)) @ powers, np.int64)
    _check(numbers, columns, size)
    return numbers


def _check(numbers: IntArray, columns: int, size: int) -> None:
    """Refuse what the protocol cannot have sent."""
    if numbers.ndim != 2 or numbers.shape[1] != columns or np.any((numbers < 0) | (numbers >= size)):
        raise ReportError(
            "Each person must send {columns} numbers from 0 to {size}; somebody does not.",
            "use the same protocol with the same parameters on the devices and on the server.",
            columns=columns,
            size=size - 1,
        )
