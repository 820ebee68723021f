"""Scores of teams: their best submission against the best attack on it, and what they found in those of others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sfumato.arena.store import counts
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sfumato.arena.store import Handed
    from sfumato.contest.game import Game

DIGITS = 1
"""Digits of what attacks find while somebody may still attack: exact ones would tell the key guess by guess."""
Order: TypeAlias = Literal["defence", "attack", "both"]
"""What the first of a board is best in."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A team on the board.

    Args:
        team: its name.
        defence: of its best published submission, in [0, 1]; None: it has published none.
        attack: in [0, other teams with a submission].
        submission: number of that submission.
        worth: of it.
        found: what the best attack finds in it.
        both: the mean of `defence` (0: none) and of `attack` as a share of its most, in [0, 1].
    """

    team: str
    defence: float | None
    attack: float
    submission: int | None
    worth: float | None
    found: float | None
    both: float


def found_in(submission: Handed, attacks: Iterable[Handed]) -> float:
    """What the best attack finds: those that come with the contest, and those of other teams."""
    return max((found for found, _name in _finds(submission, attacks)), default=0.0)


def best_attack(submission: Handed, attacks: Iterable[Handed]) -> str:
    """Who finds the most in a submission: a team, or an attack that comes with the contest; "": nothing finds anything."""
    found, name = max(_finds(submission, attacks), default=(0.0, ""))
    return name if found else ""


def by_target(attacks: Iterable[Handed]) -> dict[int, list[Handed]]:
    """Attacks on each submission that has some, by its number."""
    found: dict[int, list[Handed]] = {}
    for one in attacks:
        if one.target is not None:
            found.setdefault(one.target, []).append(one)
    return found


def _finds(submission: Handed, attacks: Iterable[Handed]) -> Iterator[tuple[float, str]]:
    """What each attack on a submission finds, and whose it is."""
    for name, found in _result(submission).get("attacks", {}).items():
        yield float(found), name
    for one in attacks:
        if one.target == submission.id and one.team != submission.team:
            yield float(_result(one)["found"]), one.team


def standings(
    game: Game,
    teams: Iterable[str],
    published: Iterable[Handed],
    attacks: Iterable[Handed],
    *,
    digits: int | None = None,
    by: Order = "defence",
) -> list[Standing]:
    """The board, the best first; teams without a submission come last in defence.

    The score of an attacker is the sum over other teams of what it found in that one of their submissions where it found
    least: nobody is helped by a weak second submission.

    Args:
        game: kind of contest.
        teams: all of them.
        published: submissions that attackers see; those that the judge has not accepted do not count.
        attacks: on them.
        digits: to which what attacks find is rounded before anything is made of it; None: not at all.
        by: what teams are ordered by.
    """
    of_team: dict[str, list[Handed]] = {}
    for one in published:
        if counts(one):
            of_team.setdefault(one.team, []).append(one)
    on = by_target(_rounded(one, digits) for one in attacks if counts(one))
    found = _found_by(on)
    made = [_standing(game, team, of_team, on, found.get(team, {}), digits) for team in teams]
    return sorted(made, key=lambda one: (*_place(one, by), one.team))


def _place(one: Standing, by: Order) -> tuple[bool, float]:
    """What comes first is least."""
    if by == "defence":
        return one.defence is None, -(one.defence or 0)
    return False, -(one.attack if by == "attack" else one.both)


def _standing(
    game: Game,
    team: str,
    of_team: Mapping[str, Sequence[Handed]],
    on: Mapping[int, Sequence[Handed]],
    found_by: Mapping[int, float],
    digits: int | None,
) -> Standing:
    """One line of the board, from published submissions by team, attacks by target, and what the team found in each."""
    rated = []
    for one in of_team.get(team, ()):
        worth, found = float(_result(one)["worth"]), _round(found_in(one, on.get(one.id, ())), digits)
        rated.append((game.together(worth, found), -one.id, worth, found))
    attack, n_others = _attack(team, of_team, found_by), len(of_team) - (team in of_team)
    share = attack / n_others if n_others else 0.0
    if not rated:
        return Standing(team, None, attack, None, None, None, share / 2)
    score, number, worth, found = max(rated)
    return Standing(team, score, attack, -number, worth, found, (score + share) / 2)


def _attack(team: str, of_team: Mapping[str, Sequence[Handed]], found_by: Mapping[int, float]) -> float:
    """The sum over other teams of the least over their submissions of what a team found there, at best, in one."""
    if not found_by:
        return 0.0
    theirs = (submissions for other, submissions in of_team.items() if other != team)
    return sum((min(found_by.get(one.id, 0.0) for one in submissions) for submissions in theirs), 0.0)


def _found_by(on: Mapping[int, Sequence[Handed]]) -> dict[str, dict[int, float]]:
    """What each team found at best in each submission that it attacked."""
    found: dict[str, dict[int, float]] = {}
    for target, attacks in on.items():
        for one in attacks:
            of_team = found.setdefault(one.team, {})
            of_team[target] = max(of_team.get(target, 0.0), float(_result(one)["found"]))
    return found


def _rounded(attack: Handed, digits: int | None) -> Handed:
    """An attack that found a rounded share."""
    found = _round(float(_result(attack)["found"]), digits)
    return replace(attack, result=_result(attack) | {"found": found})


def _round(found: float, digits: int | None) -> float:
    """A share with so many digits."""
    return found if digits is None else round(found, digits)


def _result(handed: Handed) -> dict[str, Any]:
    """What the judge said."""
    return handed.result or {}
