"""The joints: a criterion that can be read off the classes, and the promise it makes."""

from __future__ import annotations

from dataclasses import field
from enum import Enum, Flag, auto
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from sfumato.summary.classes import Classes
    from sfumato.table.values import Item
    from sfumato.types import BoolArray, IntArray


class Need(Enum):
    """What a criterion reads beside class sizes."""

    HISTOGRAM = "histogram"
    POPULATION = "population"
    PERSONAL_K = "personal k"
    BESIDE = "counts of columns that are not published"
    """A criterion with this need is `CountsBeside` and says which columns."""


COUNTED = frozenset({Need.HISTOGRAM, Need.BESIDE})
"""Needs that sizes do not answer: counts of the values of some column in each class."""


class Move(Flag):
    """Moves under which a criterion, once true, stays true. A search prunes from this alone."""

    NONE = 0
    MERGE = auto()
    """If it holds for two classes it holds for their union (full-domain generalization)."""
    ABSORB = auto()
    """If it holds for one of two classes it holds for their union, whatever the other is."""


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What is promised, in words and numbers, for people and for scripts.

    Args:
        name: what the model is called ("k-anonymity").
        statement: the promise as one sentence with its numbers.
        definition: what the model means, as one sentence.
        parameters: the numbers that were asked for.
        kind: `checked` on the released table, `proved` by theorem, or `idealized` (real numbers).
        source: paper and section.
        assumptions: what must be true outside the table for the promise to mean something.
    """

    name: str
    statement: str
    definition: str
    parameters: Mapping[str, Item | Fraction]
    kind: Literal["checked", "proved", "idealized"]
    source: str
    assumptions: tuple[str, ...] = field(default=())


class Declared(Protocol):
    """What a privacy model says of itself before it judges."""

    @property
    def needs(self) -> frozenset[Need]:
        """What it reads beside class sizes."""
        ...

    @property
    def monotone_in(self) -> Move:
        """The moves that cannot break it."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the sensitive columns that it judges, () if none."""
        ...

    def guarantee(self) -> Guarantee:
        """The promise it makes when the published classes satisfy it."""
        ...


class OfSizes:
    """A privacy model that judges no sensitive column and, unless it says otherwise, reads class sizes only."""

    __slots__ = ()
    needs = frozenset[Need]()
    columns: tuple[str, ...] = ()


class OfColumn:
    """A privacy model that reads how often the values of one sensitive column stand in each class."""

    __slots__ = ()
    column: str
    needs = frozenset({Need.HISTOGRAM})

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive column."""
        return (self.column,)


@runtime_checkable
class Criterion(Declared, Protocol):
    """A privacy model judged class by class."""

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes satisfy it."""
        ...

    def measure(self, classes: Classes) -> float:
        """The strongest parameter that all classes satisfy, rounded against us (k: the smallest class)."""
        ...


@runtime_checkable
class TableCriterion(Declared, Protocol):
    """A privacy model judged on all published classes together (average risk, uniqueness)."""

    def holds_together(self, classes: Classes) -> bool:
        """Whether the published classes, taken together, satisfy it. No class at all satisfies it."""
        ...

    def measure(self, classes: Classes) -> float:
        """The strongest parameter that the classes satisfy together, rounded against us."""
        ...


@runtime_checkable
class CountsBeside(Protocol):
    """A criterion that reads counts of columns which are neither quasi-identifying nor sensitive."""

    @property
    def beside(self) -> tuple[str, ...]:
        """Names of the columns whose values are counted in each class (`Classes.beside`)."""
        ...


def published_sizes(classes: Classes) -> IntArray:
    """(n_published,) int64: persons in each class that has published rows."""
    return classes.persons[classes.rows > 0]


def smallest(values: IntArray, classes: Classes) -> float:
    """The smallest of (n_classes,) values over the classes with published rows; infinity when there is none."""
    published = values[classes.rows > 0]
    return float(published.min()) if len(published) else float("inf")


def columns_beside(promises: Sequence[Criterion | TableCriterion]) -> tuple[str, ...]:
    """The columns that criteria count although they are not published, each once."""
    return tuple(dict.fromkeys(name for one in promises if isinstance(one, CountsBeside) for name in one.beside))
