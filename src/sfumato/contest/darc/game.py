"""The rules of DARC, and all of it together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest.darc import worth
from sfumato.contest.darc.attacks import ATTACKS
from sfumato.contest.darc.defences import DEFENCES
from sfumato.contest.darc.table import read_table
from sfumato.contest.game import Metric, Rules, wrong_lines
from sfumato.contest.key import Key, key_of, worth_of
from sfumato.contest.periods import periods_of
from sfumato.contest.renaming import DELETED, few_deleted, kept, no_formulas, one_name, stays, without_deleted
from sfumato.contest.shuffle import shuffled
from sfumato.frozen import dataclass
from sfumato.table.lines import LineColumn, LineFault, LineShape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.contest.game import Attack, Case, Defence
    from sfumato.document.contest import Together
    from sfumato.noise.bits import Bits
    from sfumato.table.lines import Lines
    from sfumato.types import IntArray

SHAPE = LineShape(
    (
        LineColumn("id_user", "text"),
        LineColumn("date", "day"),
        LineColumn("hours", "text"),
        LineColumn("id_item", "text"),
        LineColumn("price", "number"),
        LineColumn("qty", "whole"),
    ),
    separator=",",
    header=True,
)
_UNCHANGED = "Deleted lines count as unchanged, so that deleting makes the error less."

METRICS = {
    one.name: one
    for one in (
        Metric("e1", "Which items the same customers buy.", worth.together),
        Metric("e2", "Which items the same customers buy rarely.", worth.rarely_together, "It is switched off."),
        Metric("e3", "Which items are bought most, and together.", worth.most_bought),
        Metric("e4", "How near the dates are.", worth.dates, _UNCHANGED),
        Metric("e5", "How near the prices are.", worth.prices, f"{_UNCHANGED} A price of 0 has no error at all, not even 0.", identity=False),
        Metric("e6", "How many lines are not deleted.", worth.lines_kept),
    )
}  # fmt: skip
"""1 less each of the contest's errors, by its names."""


@dataclass(frozen=True, slots=True)
class DARC:
    """Purchases; one pseudonym for each customer and month; months stay; half of the lines may be deleted."""

    name: str = "darc"
    rules: Rules = Rules("fixed", "month", 0.5, 3)
    shape: LineShape = SHAPE
    submitted: LineShape = SHAPE
    published: LineShape = SHAPE
    worth: Together = "min"

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """Six."""
        return METRICS

    @property
    def attacks(self) -> Mapping[str, Attack]:
        """Seven."""
        return ATTACKS

    @property
    def defences(self) -> Mapping[str, Defence]:
        """Three."""
        return DEFENCES

    def unfit(self, lines: Lines) -> tuple[LineFault, ...]:
        """Lines that are deleted: the original has none."""
        return without_deleted(lines, "id_user")

    def refused(self, case: Case) -> tuple[LineFault, ...]:
        """Other months, unknown items, prices below 0, second pseudonyms, names with a colon; too many deleted lines."""
        those = kept(case, "id_user")
        days = case.original.whole("date"), case.submission.whole("date")
        found = stays(case, days, those, years=case.rules.is_fixed)
        unknown = worth.renumbered(case.submission.labels("id_item"), case.original.labels("id_item")) < 0
        found += wrong_lines(case, those & unknown, "id_item", "must be an item of the original.")
        found += wrong_lines(case, those & (case.submission.numbers("price") < 0), "price", "must not be less than 0.")
        colon = case.submission.labels("id_user").are(lambda name: ":" in name)
        found += wrong_lines(case, those & colon, "id_user", "must not hold a colon.")
        if case.rules.is_fixed:  # the contest compared the original with itself, and never refused a second pseudonym
            found += one_name(case, "id_user", case.once(_keyed)[1]) + no_formulas(case, "id_user", those)
        return found + few_deleted(case, "id_user")

    def seen(self, case: Case, _bits: Bits, /) -> tuple[Lines, Key]:
        """The submission, of which attacks leave deleted lines out."""
        return case.submission, case.once(_keyed)[0]

    def publish(self, case: Case, text: bytes, bits: Bits, /) -> tuple[bytes, Key]:
        """The lines that are not deleted in a random order."""
        return shuffled(text, self.submitted, bits), case.once(_keyed)[0]

    def found(self, case: Case, key: Key, attack: bytes) -> tuple[float, tuple[LineFault, ...]]:
        """Guesses in a table; the first of three is worth 1, the second 2/3, the third 1/3."""
        rules = case.rules
        guesses, faults = read_table(attack, key.periods, rules.most_guesses)
        if faults:
            return 0.0, faults
        if not set(key.who) <= set(guesses):
            return 0.0, (LineFault(0, "id_user", "must have a line for each customer of the original."),)
        if rules.is_fixed:
            return worth_of(guesses, key, credit="rank", most=rules.most_guesses), ()
        return _as_published(guesses, key, rules.most_guesses), ()

    def together(self, worth: float, found: float) -> float:
        """The mean of the least worth and of what is not found: 1 less the contest's score, where less is better."""
        return (worth + 1 - found) / 2


def _keyed(case: Case) -> tuple[Key, IntArray]:
    """The key, and rows with a second pseudonym."""
    periods = periods_of(case.original.whole("date"), case.rules.period)
    return key_of(case.original.labels("id_user"), periods, case.submission.labels("id_user"), DELETED)


def _as_published(guesses: Mapping[str, Mapping[str, tuple[str, ...]]], key: Key, most: int) -> float:
    """The contest's score: a guess is right that holds the pseudonym in its text, and the last month does not count."""
    found, total = 0.0, 0
    for name, row in zip(key.who, key.truth[:, : max(len(key.periods) - 1, 0)], strict=True):
        for p in np.nonzero(row >= 0)[0].tolist():
            right = [i for i, one in enumerate(guesses[name].get(key.periods[p], ())) if key.pseudonyms[row[p]] in one]
            found, total = found + ((most - right[-1]) / most if right else 0.0), total + 1
    return round(found / total, 6) if total else 0.0
