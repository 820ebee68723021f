"""The wire form of several attributes: one header, then the attributes' packed reports in turn.

Layout: the header of `wire` with the scheme's name, the digest of its parameters and the number of attributes; the
number of persons (8 bytes, little-endian); each attribute's payload, padded to whole bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ReportError
from sfumato.mechanism.local.wire import overhead, seal

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.mechanism.local.several.adaptive import BasicOracle

_COUNT_BYTES = 8


def write_head(name: str, parameters: bytes, d: int, n: int) -> bytes:
    """The header of n persons' reports.

    Args:
        name: of the scheme, ASCII.
        parameters: digest of what the server must share.
        d: number of attributes.
        n: number of persons.
    """
    return seal(name, parameters, d, n.to_bytes(_COUNT_BYTES, "little"))


def read_head(name: str, parameters: bytes, d: int, data: bytes) -> tuple[int, bytes]:
    """Number of persons, and what follows the header.

    Raises:
        ReportError: another scheme, version or parameter, or a header that is cut. Remedy: one scheme on both sides.

    Example:
        >>> read_head("SPL", bytes(8), 2, write_head("SPL", bytes(8), 2, 5) + b"x")
        (5, b'x')
    """
    head = seal(name, parameters, d, b"")
    end = len(head) + _COUNT_BYTES
    if data[: len(head)] != head or len(data) < end:
        raise ReportError(
            "Reports must come from {name} with the server's parameters and version; these do not.",
            "use the same scheme with the same parameters on the devices and on the server.",
            name=name,
        )
    return int.from_bytes(data[len(head) : end], "little"), data[end:]


def join_columns(oracles: Sequence[BasicOracle], columns: Sequence[npt.NDArray[Any]]) -> bytes:
    """The packed reports of each attribute in turn, without the oracles' own headers."""
    return b"".join(
        oracle.to_bytes(column)[overhead(oracle.name, len(column)) :]
        for oracle, column in zip(oracles, columns, strict=True)
    )


def split_columns(
    oracles: Sequence[BasicOracle], sizes: Sequence[int], data: bytes, name: str
) -> tuple[npt.NDArray[Any], ...]:
    """What `join_columns` joined, checked.

    Args:
        oracles: of each attribute.
        sizes: number of reports of each attribute.
        data: the packed reports.
        name: of the scheme, for messages.

    Raises:
        ReportError: bytes missing or left over, or a report outside its domain. Remedy: send them again.
    """
    lengths = [-(-n * oracle.bits_per_report // 8) for oracle, n in zip(oracles, sizes, strict=True)]
    if sum(lengths) != len(data):
        raise ReportError(
            "The bytes of {name} are too few or too many for the number of persons.", "send them again.", name=name
        )
    ends = np.cumsum(lengths).tolist()
    return tuple(
        oracle.from_bytes(seal(oracle.name, oracle.digest, n, data[end - length : end]))
        for oracle, n, length, end in zip(oracles, sizes, lengths, ends, strict=True)
    )
