"""How is every attribute reported by an oracle of its own? What SPL and every-attribute reporting share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import ReportError
from sfumato.mechanism.local import oracle as joint
from sfumato.mechanism.local.several.scheme import TupleCounts, by_blocks, check_tuples
from sfumato.mechanism.local.wire import COUNT_BYTES, seal

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.mechanism.local.several.adaptive import BasicOracle
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

_LENGTH_BYTES = 8


def randomize_each(oracles: Sequence[BasicOracle], values: IntArray, *, bits: Bits) -> tuple[npt.NDArray[Any], ...]:
    """One report array for each attribute, from (n, d) codes."""
    columns = check_tuples(values, [oracle.domain_size for oracle in oracles])
    return by_blocks(
        len(columns[0]),
        lambda block: [o.randomize(column[block], bits=bits) for o, column in zip(oracles, columns, strict=True)],
    )


def count_each(oracles: Sequence[BasicOracle], reports: Sequence[npt.NDArray[Any]]) -> TupleCounts:
    """Support counts of each attribute."""
    _check_length(oracles, reports)
    support = tuple(oracle.count_support(column) for oracle, column in zip(oracles, reports, strict=True))
    return TupleCounts(support, tuple(len(column) for column in reports))


def estimate_each(oracles: Sequence[BasicOracle], counts: TupleCounts) -> tuple[FloatArray, ...]:
    """Unbiased shares of each attribute."""
    _check_length(oracles, counts.support)
    return tuple(
        joint.estimate(support, n, oracle.support)
        for oracle, support, n in zip(oracles, counts.support, counts.reports, strict=True)
    )


def variance_each(oracles: Sequence[BasicOracle], frequencies: Sequence[FloatArray], n: int) -> tuple[FloatArray, ...]:
    """Exact variances for a fixed table."""
    return tuple(joint.variance(f, n, oracle.support) for oracle, f in zip(oracles, frequencies, strict=True))


def join_bytes(
    name: str, parameters: bytes, oracles: Sequence[BasicOracle], reports: Sequence[npt.NDArray[Any]]
) -> bytes:
    """The wire form of a tuple of reports: a header, then each attribute's own form behind its length."""
    _check_length(oracles, reports)
    parts = [oracle.to_bytes(column) for oracle, column in zip(oracles, reports, strict=True)]
    payload = b"".join(len(part).to_bytes(_LENGTH_BYTES, "little") + part for part in parts)
    return seal(name, parameters, len(reports), payload)


def split_bytes(
    name: str, parameters: bytes, oracles: Sequence[BasicOracle], data: bytes
) -> tuple[npt.NDArray[Any], ...]:
    """What `join_bytes` joined, checked.

    Raises:
        ReportError: made by another scheme or with other parameters, or damaged. Remedy: one scheme on both sides.
    """
    head = seal(name, parameters, len(oracles), b"")
    if data[: len(head) - COUNT_BYTES] != head[:-COUNT_BYTES] or data[: len(head)] != head:
        raise ReportError(
            f"Reports must come from {name} with the server's parameters and version; these do not.",
            "use the same scheme with the same parameters on the devices and on the server.",
        )
    out, at = [], len(head)
    for oracle in oracles:
        end = at + _LENGTH_BYTES
        size = int.from_bytes(data[at:end], "little")
        out.append(oracle.from_bytes(data[end : end + size]))
        at = end + size
    if at != len(data):
        raise ReportError(f"The bytes of {name} are too few or too many.", "send them again.")
    return tuple(out)


def _check_length(oracles: Sequence[object], columns: Sequence[object]) -> None:
    """Refuse another number of attributes."""
    if len(oracles) != len(columns):
        raise ReportError(
            f"There must be reports of {len(oracles)} attributes; got {len(columns)}.",
            "use the same scheme on the devices and on the server.",
        )
