"""The joint of all schemes for several attributes, and what their servers add up.

A scheme turns a person's tuple of codes into one report for the server: a tuple of reports of oracles,
one place for each attribute. The server keeps, for each attribute, support counts and the number of reports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from sfumato.errors import ParameterError, ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.check import check_domain, check_values

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.several.epsilon import Epsilons
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

R = TypeVar("R")

BLOCK = 1 << 15
"""Persons whose reports are made together."""


@dataclass(frozen=True, slots=True, eq=False)
class TupleCounts:
    """Support counts of every attribute; they merge by addition.

    Args:
        support: d arrays (k,) int64, reports that support each value.
        reports: d numbers of reports, >= 0.

    Example:
        >>> part = TupleCounts((np.array([3, 1]),), (4,))
        >>> (part + part).reports
        (8,)
    """

    support: tuple[IntArray, ...]
    reports: tuple[int, ...]

    def __add__(self, other: TupleCounts) -> TupleCounts:
        if [len(c) for c in self.support] != [len(c) for c in other.support]:
            raise ReportError(
                "Support counts can be added only when both have the same domains.", "use one scheme on all servers."
            )
        support = tuple(a + b for a, b in zip(self.support, other.support, strict=True))
        return TupleCounts(support, tuple(a + b for a, b in zip(self.reports, other.reports, strict=True)))


class Scheme(Protocol[R]):
    """A randomizer of a tuple of values, and what the server reads off its reports."""

    @property
    def label(self) -> str:
        """How tables name it."""
        ...

    @property
    def domain_sizes(self) -> tuple[int, ...]:
        """Number of values of each attribute, >= 2."""
        ...

    @property
    def epsilons(self) -> Epsilons:
        """What is promised, to which neighbors."""
        ...

    def guarantees(self) -> tuple[Guarantee, Guarantee]:
        """The promises: of the whole record, and of one attribute."""
        ...

    def randomize(self, values: IntArray, *, bits: Bits) -> R:
        """The reports of n persons with (n, d) codes."""
        ...

    def count_support(self, reports: R) -> TupleCounts:
        """Support counts of each attribute."""
        ...

    def estimate(self, counts: TupleCounts) -> tuple[FloatArray, ...]:
        """Unbiased shares of each attribute's values; they may be negative."""
        ...

    def persons(self, counts: TupleCounts) -> int:
        """Persons behind some counts, the n of `variance`: a person may report one attribute, or every one."""
        ...

    def variance(self, frequencies: Sequence[FloatArray], n: int) -> tuple[FloatArray, ...]:
        """Exact variances of `estimate` for a fixed table of n persons."""
        ...

    def to_bytes(self, reports: R) -> bytes:
        """The versioned wire form."""
        ...

    def from_bytes(self, data: bytes) -> R:
        """The reports of a wire form made by the same scheme."""
        ...


def check_domains(domain_sizes: Sequence[int]) -> tuple[int, ...]:
    """The domain sizes of at least one attribute.

    Raises:
        ParameterError: none, or one below 2. Remedy: declare every attribute's domain.

    Example:
        >>> check_domains([2, 3])
        (2, 3)
    """
    sizes = tuple(check_domain(size) for size in domain_sizes)
    if not sizes:
        raise ParameterError("A scheme for several attributes needs at least one.", "declare the attributes' domains.")
    return sizes


def check_tuples(values: npt.ArrayLike, domain_sizes: Sequence[int]) -> list[IntArray]:
    """The columns of (n, d) codes, checked before any chance is drawn.

    Raises:
        ParameterError: no such table of codes. Remedy: encode every attribute by its declared domain.

    Example:
        >>> [column.tolist() for column in check_tuples([[0, 2], [1, 0]], (2, 3))]
        [[0, 1], [2, 0]]
    """
    table = np.asarray(values)
    if table.ndim != 2 or table.shape[1] != len(domain_sizes):
        raise ParameterError(
            "Persons must be rows of {n_domain_sizes} codes; got shape {shape}.",
            "give one column of codes for each attribute.",
            n_domain_sizes=len(domain_sizes),
            shape=table.shape,
        )
    columns = np.empty(table.shape[::-1], np.int64 if table.dtype.kind in "iu" else table.dtype)
    for start in range(0, len(table), BLOCK):
        columns[:, start : start + BLOCK] = table[start : start + BLOCK].T
    return [check_values(column, size) for column, size in zip(columns, domain_sizes, strict=True)]


def by_blocks(n: int, make: Callable[[slice], Sequence[npt.NDArray[Any]]]) -> tuple[npt.NDArray[Any], ...]:
    """Arrays of n persons, made block by block so that each block stays in the cache.

    Args:
        n: number of persons, >= 0.
        make: arrays of the persons of a slice, along their first axis; the same number of arrays each time.

    Example:
        >>> [array.tolist() for array in by_blocks(3, lambda part: [np.arange(3)[part]])]
        [[0, 1, 2]]
    """
    first = make(slice(0, min(n, BLOCK)))
    if n <= BLOCK:
        return tuple(first)
    out = tuple(np.empty((n, *part.shape[1:]), part.dtype) for part in first)
    for start in range(0, n, BLOCK):
        block = slice(start, min(n, start + BLOCK))
        for whole, part in zip(out, make(block) if start else first, strict=True):
            whole[block] = part
    return out


def sampling_term(frequencies: FloatArray, n: int) -> FloatArray:
    """Variance f(1-f)/n of the table's own shares, when its n persons are drawn from a population.

    The papers' theorems are about persons drawn independently; the exact variance for a fixed table, which is
    what a comparison with the table's own shares measures, is theirs minus this term.

    Example:
        >>> sampling_term(np.array([0.5]), 100).tolist()
        [0.0025]
    """
    term: FloatArray = frequencies * (1 - frequencies) / n
    return term
