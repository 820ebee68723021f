"""The rules of INSAnonym, and all of it together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest.game import Metric, Rules, wrong_lines
from sfumato.contest.guesses import read_guesses
from sfumato.contest.insanonym import lines as by_line
from sfumato.contest.insanonym import places
from sfumato.contest.insanonym.attacks import ATTACKS
from sfumato.contest.insanonym.defences import DEFENCES
from sfumato.contest.key import key_of, worth_of
from sfumato.contest.periods import DAY, periods_of
from sfumato.contest.renaming import DELETED, few_deleted, kept, no_formulas, one_name, stays, without_deleted
from sfumato.contest.shuffle import shuffled
from sfumato.frozen import dataclass
from sfumato.table.lines import LineColumn, LineFault, LineShape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.contest.game import Attack, Case, Defence
    from sfumato.contest.key import Key
    from sfumato.document.contest import Together
    from sfumato.noise.bits import Bits
    from sfumato.table.lines import Lines
    from sfumato.types import IntArray

SHAPE = LineShape(
    (
        LineColumn("id", "text"),
        LineColumn("date", "time"),
        LineColumn("latitude", "number"),
        LineColumn("longitude", "number"),
    ),
    separator="\t",
    header=False,
)
_SUNDAYS = "A Sunday is six days from a Monday, not one."
_HOURS = "A line whose hour differs is worth 1 less the table's value: six hours are worth more than one."
_STILL = "Places where a person was for no time count as lost, so that the original itself may have less than 1."

METRICS = {
    one.name: one
    for one in (
        Metric("date", "How near the days of the week are, line by line.", by_line.date, _SUNDAYS),
        Metric("hour", "How near the hours of the clock are, line by line.", by_line.hour, _HOURS),
        Metric("distance", "How near the positions are, line by line.", by_line.distance),
        Metric("poi", "Whether persons stay as long where they are longest.", places.poi, _STILL, identity=False),
        Metric("poi-week", "The same for each week and its longest place.", places.poi_week, _STILL, identity=False),
        Metric("meet", "Whether the busiest tenth of all cells stays the busiest.", places.meet),
        Metric("tuile", "Whether persons visit as many cells.", places.tuile),
    )
}
"""What worth is measured by, by name."""


@dataclass(frozen=True, slots=True)
class INSAnonym:
    """Traces; one pseudonym for each person and ISO week; lines may be deleted; weeks stay."""

    name: str = "insanonym"
    rules: Rules = Rules("fixed", "week", 1.0, 3)
    shape: LineShape = SHAPE
    submitted: LineShape = SHAPE
    published: LineShape = SHAPE
    worth: Together = "mean"

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """Seven."""
        return METRICS

    @property
    def attacks(self) -> Mapping[str, Attack]:
        """Three."""
        return ATTACKS

    @property
    def defences(self) -> Mapping[str, Defence]:
        """Three."""
        return DEFENCES

    def unfit(self, lines: Lines) -> tuple[LineFault, ...]:
        """Lines that are deleted: the original has none."""
        return without_deleted(lines, "id")

    def refused(self, case: Case) -> tuple[LineFault, ...]:
        """Lines outside their week, off the Earth, or under a second pseudonym; too many deleted ones."""
        those = kept(case, "id")
        found = stays(case, (case.original.whole("date") // DAY, case.submission.whole("date") // DAY), those)
        if case.rules.is_fixed:
            for name, most in (("latitude", 90), ("longitude", 180)):
                off = those & (np.abs(case.submission.numbers(name)) > most)
                found += wrong_lines(case, off, name, f"must be a place on Earth, within {most} degrees.")
            found += no_formulas(case, "id", those)
        return found + one_name(case, "id", case.once(_keyed)[1]) + few_deleted(case, "id")

    def seen(self, case: Case, _bits: Bits, /) -> tuple[Lines, Key]:
        """The submission, of which attacks leave deleted lines out."""
        return case.submission, case.once(_keyed)[0]

    def publish(self, case: Case, text: bytes, bits: Bits, /) -> tuple[bytes, Key]:
        """The lines that are not deleted in a random order. In `compat` the name of deleted lines can be found too."""
        return shuffled(text, self.submitted, bits), case.once(_keyed)[0]

    def found(self, case: Case, key: Key, attack: bytes) -> tuple[float, tuple[LineFault, ...]]:
        """Guesses in JSON, each of N worth 1/N."""
        rules = case.rules
        guesses, faults = read_guesses(attack, key, rules.most_guesses, strict=rules.is_fixed)
        most = rules.most_guesses if rules.is_fixed else 2**31
        return (0.0 if faults else worth_of(guesses, key, credit="share", most=most)), faults

    def together(self, worth: float, found: float) -> float:
        """Worth times what is not found."""
        return worth * (1 - found)


def _keyed(case: Case) -> tuple[Key, IntArray]:
    """The key, and rows with a second pseudonym."""
    periods = periods_of(case.original.whole("date") // DAY, case.rules.period, calendar_years=not case.rules.is_fixed)
    deleted = DELETED if case.rules.is_fixed else None
    return key_of(case.original.labels("id"), periods, case.submission.labels("id"), deleted)
