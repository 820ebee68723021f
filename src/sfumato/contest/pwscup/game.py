"""The rules of PWS Cup 2019, and all of it together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from sfumato.contest.game import Metric, Rules, wrong_lines
from sfumato.contest.key import Key
from sfumato.contest.pwscup.attacks import attacks_on
from sfumato.contest.pwscup.defences import defences_on
from sfumato.contest.pwscup.regions import meanings
from sfumato.contest.pwscup.worth import traced, worth_of_labels
from sfumato.contest.writing import written_lines
from sfumato.frozen import dataclass
from sfumato.noise.permutation import permutation
from sfumato.table.lines import Labels, LineColumn, LineFault, Lines, LineShape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.contest.game import Attack, Case, Defence
    from sfumato.contest.pwscup.regions import Grid
    from sfumato.document.contest import Together
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

Goal: TypeAlias = Literal["identity", "trace"]
LEAST_WORTH = 0.7
"""A submission below it scores nothing."""
_TIME, _REGION = LineColumn("time_id", "whole"), LineColumn("reg_id", "whole")
SHAPE = LineShape((LineColumn("user_id", "text"), _TIME, _REGION), ",", header=True, deleted=None)
SUBMITTED = LineShape((LineColumn("reg_id", "text"),), ",", header=True, deleted=None)
PUBLISHED = LineShape(
    (LineColumn("pse_id", "text"), _TIME, LineColumn("reg_id", "text")), ",", header=True, deleted=None
)
WHO = "user_id"


@dataclass(frozen=True, slots=True)
class PWSCup:
    """Traces over a grid of regions; the judge draws pseudonyms; labels may stand for several regions or be hidden.

    Args:
        grid: its regions.
        goal: whether attackers say whose a trace is, or where persons were.
    """

    grid: Grid
    goal: Goal = "identity"
    rules: Rules = Rules("fixed", "all", 1.0, 1)
    shape: LineShape = SHAPE
    submitted: LineShape = SUBMITTED
    published: LineShape = PUBLISHED
    worth: Together = "min"

    @property
    def name(self) -> str:
        """Of the goal too."""
        return f"pwscup-{self.goal}"

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """One."""
        return {
            "near": Metric("near", "How near the regions of a label are to the true one, line by line.", self._near)
        }

    @property
    def attacks(self) -> Mapping[str, Attack]:
        """Three."""
        return attacks_on(self.grid, self.goal)

    @property
    def defences(self) -> Mapping[str, Defence]:
        """Three."""
        return defences_on(self.grid)

    def unfit(self, lines: Lines) -> tuple[LineFault, ...]:
        """Persons who have no number, regions beyond the grid, and persons who are not seen at the same times."""
        if not all(name.isascii() and name.isdigit() and len(name) < 10 for name in lines.labels(WHO).names):
            return (LineFault(0, WHO, "must be whole numbers."),)
        beyond = (lines.whole("reg_id") < 1) | (lines.whole("reg_id") > self.grid.n)
        if beyond.any():
            return (LineFault(int(np.argmax(beyond)) + lines.first, "reg_id", "must be a region of the grid."),)
        times, place = np.unique(lines.whole("time_id"), return_inverse=True)
        cells = np.unique(lines.labels(WHO).codes * len(times) + place.ravel())
        if len(cells) != lines.rows or lines.rows != len(times) * len(lines.labels(WHO).names):
            return (LineFault(0, "time_id", "must be the same times for every person, each once."),)
        return ()

    def refused(self, case: Case) -> tuple[LineFault, ...]:
        """Labels that are no regions."""
        labels = case.submission.labels("reg_id")
        wrong = ~meanings(labels, self.grid.n).is_label
        must = "must be regions of the grid with a blank between them, each once, or * where it is hidden."
        return wrong_lines(case, wrong[labels.codes], "reg_id", must)

    def seen(self, case: Case, bits: Bits, /) -> tuple[Lines, Key]:
        """Lines by pseudonym and time; pseudonyms are drawn."""
        who = case.original.labels(WHO)
        n = len(who.names)
        order = permutation(n, bits=bits)
        times = case.original.whole("time_id")
        rows = np.lexsort((times, order[who.codes]))
        names = tuple(str(i) for i in range(n + 1, 2 * n + 1))
        labels = case.submission.labels("reg_id")
        columns: dict[str, Labels | FloatArray | IntArray] = {
            "pse_id": Labels(names, order[who.codes][rows]),
            "time_id": times[rows],
            "reg_id": Labels(labels.names, labels.codes[rows]),
        }
        return Lines(columns, len(rows), 2), Key(who.names, ("all",), names, order[:, None])

    def publish(self, case: Case, _text: bytes, bits: Bits, /) -> tuple[bytes, Key]:
        """The same as a file."""
        lines, key = self.seen(case, bits)
        return written_lines(lines, PUBLISHED), key

    def found(self, case: Case, key: Key, attack: bytes) -> tuple[float, tuple[LineFault, ...]]:
        """The share of pseudonyms whose person is named, or how near the named regions are."""
        if self.goal == "trace":
            region = case.original.whole("reg_id")
            said, faults = _column(attack, "reg_id", len(region))
            if not faults and not ((said >= 1) & (said <= self.grid.n)).all():
                faults = (LineFault(0, "reg_id", "must be regions of the grid."),)
            order = np.lexsort((case.original.whole("time_id"), _numbers(key.who)[case.original.labels(WHO).codes]))
            return (0.0 if faults else traced(self.grid, region[order], said)), faults
        said, faults = _column(attack, WHO, len(key.who))
        true = np.empty(len(key.who), np.int64)
        true[key.truth[:, 0]] = _numbers(key.who)
        return (0.0 if faults else float(np.mean(said == true))), faults

    def together(self, worth: float, found: float) -> float:
        """What is not found, for a submission that is worth enough."""
        return 1 - found if worth >= LEAST_WORTH else 0.0

    def _near(self, case: Case) -> float:
        """Of the labels."""
        return worth_of_labels(self.grid, case.original.whole("reg_id"), case.submission.labels("reg_id"))


def _numbers(names: tuple[str, ...]) -> IntArray:
    """Persons and pseudonyms are numbers."""
    return np.array([int(name) for name in names], np.int64)


def _column(text: bytes, name: str, rows: int) -> tuple[IntArray, tuple[LineFault, ...]]:
    """A file of one column of whole numbers."""
    lines = text.replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\n")
    if lines[0].strip() != name.encode():
        return np.zeros(0, np.int64), (LineFault(1, name, "must be the name of the only column."),)
    if len(lines) != rows + 1:
        return np.zeros(0, np.int64), (
            LineFault(0, None, "must have a line for each that is asked about, in their order."),
        )
    for line, cell in enumerate(lines[1:], 2):
        if not (cell.isdigit() and len(cell) < 10):
            return np.zeros(0, np.int64), (LineFault(line, name, "must be a whole number."),)
    return np.array([int(cell) for cell in lines[1:]], np.int64), ()
