"""What a kind of contest says: how lines are written, what may change, what is measured, and what is attacked."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar, cast

import numpy as np

from sfumato.frozen import dataclass
from sfumato.table.lines import LineFault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.contest.key import Key
    from sfumato.contest.periods import Period
    from sfumato.document.contest import Together
    from sfumato.noise.bits import Bits
    from sfumato.table.lines import Lines, LineShape
    from sfumato.types import BoolArray

T = TypeVar("T")
Version: TypeAlias = Literal["fixed", "compat"]
"""Rules and metrics as mended here, or as the contest had them with their faults."""
MOST_FAULTS = 20
"""Faults of one kind that are told."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a contest lets teams change.

    Args:
        version: of rules and metrics.
        period: within which a person keeps one pseudonym.
        most_deleted: largest share of lines that may be deleted, in [0, 1].
        most_guesses: most guesses for a person and period that count, >= 1.
    """

    version: Version = "fixed"
    period: Period = "week"
    most_deleted: float = 1.0
    most_guesses: int = 3

    @property
    def is_fixed(self) -> bool:
        """Whether faults of the original contest are mended."""
        return self.version == "fixed"


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A submission beside its original, line by line.

    Args:
        original: the table of the contest.
        submission: what a team made of it: as many lines in the same order.
        rules: of the contest.

    `kept` holds what several metrics need, made by the first of them.
    """

    original: Lines
    submission: Lines
    rules: Rules
    kept: dict[object, Any] = field(default_factory=dict, repr=False)

    def once(self, what: Callable[[Case], T]) -> T:
        """What a function makes of this case, made once.

        Args:
            what: a function of modules; it is known by itself.
        """
        if what not in self.kept:
            self.kept[what] = what(self)
        return cast("T", self.kept[what])


def wrong_lines(case: Case, wrong: BoolArray, column: str, must: str) -> tuple[LineFault, ...]:
    """Faults of the first lines that are wrong.

    Args:
        case: whose submission has them.
        wrong: (n,) which lines are.
        column: in which they are.
        must: what must be true there.
    """
    rows = np.nonzero(wrong)[0][:MOST_FAULTS].tolist()
    return tuple(LineFault(row + case.submission.first, column, must) for row in rows)


@dataclass(frozen=True, slots=True)
class Metric:
    """Something that a submission is measured by.

    Args:
        name: as in a contest document.
        says: what it is, in a sentence.
        value: of a case, in [0, 1]; 1: nothing was lost.
        differs: what `compat` does otherwise; None: both are alike.
        identity: whether a copy of the original has 1 under `compat` too.
    """

    name: str
    says: str
    value: Callable[[Case], float]
    differs: str | None = None
    identity: bool = True


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack that comes with a contest.

    Args:
        name: as in a contest document.
        says: what it does, in a sentence.
        guess: what it hands in, as bytes of an attack file, from the table that attackers have and what was published.
    """

    name: str
    says: str
    guess: Callable[[Lines, Lines, Rules], bytes]


@dataclass(frozen=True, slots=True)
class Defence:
    """A submission that comes with a contest, so that there is something to attack.

    Args:
        name: as in a contest document.
        says: what it does, in a sentence.
        protect: the lines of a submission from those of the original.
    """

    name: str
    says: str
    protect: Callable[[Lines, Rules, Bits], Lines]


class Game(Protocol):
    """A kind of contest."""

    @property
    def name(self) -> str:
        """As in a contest document."""
        ...

    @property
    def rules(self) -> Rules:
        """The rules that it was played by."""
        ...

    @property
    def shape(self) -> LineShape:
        """How the original is written."""
        ...

    @property
    def submitted(self) -> LineShape:
        """How submissions are written."""
        ...

    @property
    def published(self) -> LineShape:
        """How what attackers see is written."""
        ...

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """What worth is measured by."""
        ...

    @property
    def attacks(self) -> Mapping[str, Attack]:
        """Attacks that come with it."""
        ...

    @property
    def defences(self) -> Mapping[str, Defence]:
        """Submissions that come with it."""
        ...

    def unfit(self, lines: Lines) -> tuple[LineFault, ...]:
        """What is wrong with a table of the contest itself, beyond how it is written."""
        ...

    def refused(self, case: Case) -> tuple[LineFault, ...]:
        """What breaks the rules, by line; empty: nothing does. Both have as many lines."""
        ...

    def seen(self, case: Case, bits: Bits, /) -> tuple[Lines, Key]:
        """What attackers see, whatever the order of lines, and the key to it: for attacks that come with the contest.

        Args:
            case: a submission that nothing refuses.
            bits: source of chance, for kinds where the judge draws pseudonyms.
        """
        ...

    def publish(self, case: Case, text: bytes, bits: Bits, /) -> tuple[bytes, Key]:
        """What attackers see of a submission that nothing refuses, in an order drawn anew, and the key to it.

        Args:
            case: the submission.
            text: of its file.
            bits: source of chance.
        """
        ...

    def found(self, case: Case, key: Key, attack: bytes) -> tuple[float, tuple[LineFault, ...]]:
        """What an attack file finds, in [0, 1], and what is wrong with the file."""
        ...

    @property
    def worth(self) -> Together:
        """How it makes one number of the metrics."""
        ...

    def together(self, worth: float, found: float) -> float:
        """What a submission scores, in [0, 1]: 1 is best.

        Args:
            worth: of the metrics together.
            found: what the best attack finds.
        """
        ...
