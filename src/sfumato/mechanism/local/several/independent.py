"""What schemes for several attributes share: what they tell of themselves, and every attribute reported by an oracle of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import ReportError
from sfumato.mechanism.local import oracle as joint
from sfumato.mechanism.local.several.adaptive import choice_label
from sfumato.mechanism.local.several.epsilon import guarantees_of
from sfumato.mechanism.local.several.scheme import TupleCounts, by_blocks, check_tuples
from sfumato.mechanism.local.several.tuple_wire import join_columns, read_head, split_columns, write_head
from sfumato.mechanism.local.wire import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.several.adaptive import BasicOracle, OracleName, Rule
    from sfumato.mechanism.local.several.epsilon import Epsilons
    from sfumato.mechanism.local.several.faked import Variant
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


class Told(ABC):
    """What every scheme tells of itself: how tables name it, and its promises."""

    __slots__ = ()
    name: ClassVar[str]
    choice: OracleName | Rule | Variant

    @property
    @abstractmethod
    def epsilons(self) -> Epsilons:
        """What is promised, to which neighbors."""

    @property
    @abstractmethod
    def spoken(self) -> Sequence[BasicOracle]:
        """The oracle of each attribute."""

    @property
    def label(self) -> str:
        """How tables name it."""
        return f"{self.name}[{choice_label(self.choice)}]"

    def __str__(self) -> str:
        return f"{self.label}: {self.epsilons}"

    def guarantees(self) -> tuple[Guarantee, Guarantee]:
        """The promises: of the whole record, and of one attribute."""
        return guarantees_of(self.label, self.epsilons)

    @property
    def digest(self) -> bytes:
        """The digest of what the server must share: what was asked for, and what is sampled."""
        return digest(self.name, repr(self), repr(self.spoken))


class EachReported(Told):
    """A scheme in which every person reports every attribute, genuine or not."""

    __slots__ = ()

    def persons(self, counts: TupleCounts) -> int:
        """Persons behind some counts: each reports every attribute."""
        return counts.reports[0]

    def to_bytes(self, reports: Sequence[npt.NDArray[Any]]) -> bytes:
        """The versioned wire form."""
        return join_bytes(self.name, self.digest, self.spoken, reports)

    def from_bytes(self, data: bytes) -> tuple[npt.NDArray[Any], ...]:
        """The reports of a wire form made by the same scheme."""
        return split_bytes(self.name, self.digest, self.spoken, data)


class Independent(EachReported):
    """A scheme in which an oracle of its own reports each attribute."""

    __slots__ = ()
    oracles: tuple[BasicOracle, ...]

    @property
    def spoken(self) -> tuple[BasicOracle, ...]:
        """The oracle of each attribute."""
        return self.oracles

    def randomize(self, values: IntArray, *, bits: Bits) -> tuple[npt.NDArray[Any], ...]:
        """One report array for each attribute, from (n, d) codes."""
        columns = check_tuples(values, [oracle.domain_size for oracle in self.oracles])
        return by_blocks(
            len(columns[0]),
            lambda block: [o.randomize(c[block], bits=bits) for o, c in zip(self.oracles, columns, strict=True)],
        )

    def count_support(self, reports: Sequence[npt.NDArray[Any]]) -> TupleCounts:
        """Support counts of each attribute."""
        return count_each(self.oracles, reports)

    def estimate(self, counts: TupleCounts) -> tuple[FloatArray, ...]:
        """Unbiased shares of each attribute."""
        return estimate_each(self.oracles, counts)

    def variance(self, frequencies: Sequence[FloatArray], n: int) -> tuple[FloatArray, ...]:
        """Exact variances for a fixed table of n persons."""
        return tuple(joint.variance(f, n, oracle.support) for oracle, f in zip(self.oracles, frequencies, strict=True))


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
