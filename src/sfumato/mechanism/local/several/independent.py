"""Every attribute reported by an oracle of its own: what SPL and every-attribute reporting share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import ReportError
from sfumato.mechanism.local import oracle as joint
from sfumato.mechanism.local.several.scheme import TupleCounts, by_blocks, check_tuples
from sfumato.mechanism.local.several.tuple_wire import join_columns, read_head, split_columns, write_head

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.mechanism.local.several.adaptive import BasicOracle
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


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
    """The wire form of reports of every attribute by every person."""
    _check_length(oracles, reports)
    persons = {len(column) for column in reports}
    if len(persons) != 1:
        raise ReportError("Every person must have reported every attribute.", "send the reports of one scheme.")
    return write_head(name, parameters, len(oracles), persons.pop()) + join_columns(oracles, reports)


def split_bytes(
    name: str, parameters: bytes, oracles: Sequence[BasicOracle], data: bytes
) -> tuple[npt.NDArray[Any], ...]:
    """What `join_bytes` joined, checked.

    Raises:
        ReportError: made by another scheme or with other parameters, or damaged. Remedy: one scheme on both sides.
    """
    n, rest = read_head(name, parameters, len(oracles), data)
    return split_columns(oracles, [n] * len(oracles), rest, name)


def _check_length(oracles: Sequence[object], columns: Sequence[object]) -> None:
    if len(oracles) != len(columns):
        raise ReportError(
            "There must be reports of {n_oracles} attributes; got {n_columns}.",
            "use the same scheme on the devices and on the server.",
            n_oracles=len(oracles),
            n_columns=len(columns),
        )
