"""One file, as whoever asks may see it: the team whose it is, the organiser, and, once it is published, everybody in.

Of another team's file nobody sees its digest, its faults or its lines; what attacks find is rounded as on the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.arena.board import found_in
from sfumato.arena.serving import EXACT
from sfumato.arena.store import counts
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.arena.pages.visitor import Visitor
    from sfumato.arena.store import Handed
    from sfumato.contest.judge import Judge
    from sfumato.table.lines import LineShape

STATES = {
    "waiting": "waits for the judge",
    "judging": "is with the judge",
    "accepted": "accepted",
    "refused": "refused",
    "failed": "could not be judged",
}
"""States in words."""
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Place:
    """A fault and what stands there.

    Args:
        line: of the file, from 1; 0: the file as a whole.
        column: name of it; "": the line as a whole.
        must: what must be true there.
        before, cell, after: the line, around the cell that is wrong; all empty: it is not shown; cell None: no cell is.
    """

    line: int
    column: str
    must: str
    before: str = ""
    cell: str | None = None
    after: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A file in a list.

    Args:
        number: of it.
        team: whose it is.
        target: the submission that it attacks; None: it is a submission.
        at: when it was handed in, in seconds since 1970.
        state: as the store has it.
        worth: of a submission that counts; None: of none.
        found: what an attack found, or what the attacks of the contest found in a submission.
        published: whether attackers see it.
        is_owned: whether whoever asks handed it in.
    """

    number: int
    team: str
    target: int | None
    at: float
    state: str
    worth: float | None
    found: float | None
    published: bool
    is_owned: bool

    @property
    def told(self) -> str:
        """The state in words."""
        return STATES[self.state]

    @property
    def may_be_published(self) -> bool:
        """Whether it is a submission that was accepted and is not published."""
        return self.target is None and self.state == "accepted" and not self.published

    @property
    def is_open(self) -> bool:
        """Whether the judge has not spoken."""
        return self.state in {"waiting", "judging"}


def may_see(one: Handed, who: Visitor) -> bool:
    """Whether somebody may see a file at all."""
    return is_own(one, who) or (one.published is not None and one.target is None)


def is_own(one: Handed, who: Visitor) -> bool:
    """Whether somebody may see all of a file."""
    return who.is_organiser or one.team == who.team


def line(one: Handed, who: Visitor, digits: int) -> Line:
    """A file in a list; what attacks found is rounded."""
    said = one.result or {}
    found = said.get("found") if one.target is not None else max(said.get("attacks", {}).values(), default=None)
    return Line(
        one.id, one.team, one.target, one.at, one.state, said.get("worth"), None if found is None else round(found, digits),
        one.published is not None, one.team == who.team,
    )  # fmt: skip


def submission_view(judge: Judge, one: Handed, attacks: Iterable[Handed], who: Visitor, digits: int) -> dict[str, Any]:
    """What a page shows of a submission that counts: worth by metric, and who found what in it.

    Args:
        judge: of the contest.
        one: the submission.
        attacks: on it.
        who: asks.
        digits: of what attacks find.
    """
    said, tried = one.result or {}, tuple(attacks)
    # what the contest's own attacks find in a file is exact for its team alone: it could compute it at home
    places = EXACT if is_own(one, who) else digits
    best = round(found_in(one, tried), digits)
    metrics = [
        {"name": name, "value": said["metrics"][name], "says": judge.game.metrics[name].says}
        for name in judge.weights if name in said["metrics"]
    ]  # fmt: skip
    return {
        "metrics": metrics, "worth": said["worth"], "found": best, "score": judge.game.together(said["worth"], best),
        "attacks": [(name, round(found, places), _says(judge, name)) for name, found in said.get("attacks", {}).items()],
        "teams": _by_team(one, tried, digits),
    }  # fmt: skip


def _says(judge: Judge, name: str) -> str:
    return judge.game.attacks[name].says if name in judge.game.attacks else ""


def _by_team(one: Handed, tried: Iterable[Handed], digits: int) -> list[tuple[str, float, int]]:
    """The best attack of each other team, rounded, with how many it tried; by name, so that the order tells nothing."""
    best: dict[str, tuple[float, int]] = {}
    for attack in tried:
        if attack.team != one.team and counts(attack):
            found, n = best.get(attack.team, (0.0, 0))
            best[attack.team] = max(found, float((attack.result or {})["found"])), n + 1
    return [(team, round(found, digits), n) for team, (found, n) in sorted(best.items())]


def places(one: Handed, shape: LineShape) -> list[Place]:
    """Faults of one's own file with what stands there."""
    said = one.result or {}
    shown: Mapping[str, str] = said.get("lines", {})
    names = [column.name for column in shape.columns] if one.target is None else []
    return [_place(fault, shown.get(str(fault["line"])), names, shape.separator) for fault in said.get("faults", ())]


def _place(fault: Mapping[str, Any], text: str | None, names: list[str], separator: str) -> Place:
    """A fault, and the line around the cell that it is about.

    Example:
        >>> _place({"line": 3, "column": "b", "must": "must be."}, "x,=1+1,y", ["a", "b", "c"], ",")
        Place(line=3, column='b', must='must be.', before='x,', cell='=1+1', after=',y')
    """
    where, must = str(fault["column"] or ""), str(fault["must"])
    if text is None:
        return Place(fault["line"], where, must)
    text = text[:MOST_SHOWN]
    cells = text.split(separator)
    if where not in names or names.index(where) >= len(cells):
        return Place(fault["line"], where, must, text)
    at = names.index(where)
    before, after = (separator.join(part) for part in (cells[:at], cells[at + 1 :]))
    return Place(
        fault["line"], where, must, before + separator if at else "", cells[at], separator + after if after or at + 1 < len(cells) else ""
    )  # fmt: skip
