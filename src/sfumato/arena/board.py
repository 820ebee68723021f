"""Scores of teams: their best submission against the best attack on it, and what they found in those of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.arena.store import Handed
    from sfumato.contest.game import Game

DIGITS = 1
"""Digits of scores of attacks before the last phase has ended: exact ones would tell the key guess by guess."""


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
    """

    team: str
    defence: float | None
    attack: float
    submission: int | None
    worth: float | None
    found: float | None


def found_in(submission: Handed, attacks: Iterable[Handed]) -> float:
    """What the best attack finds: those that come with the contest, and those of other teams."""
    own = max(_result(submission).get("attacks", {}).values(), default=0.0)
    others = (
        float(_result(one)["found"]) for one in attacks if one.target == submission.id and one.team != submission.team
    )
    return max(own, *others, 0.0)


def best_attack(submission: Handed, attacks: Iterable[Handed]) -> str:
    """Who finds the most in a submission: a team, or an attack that comes with the contest; "": nothing finds anything."""
    own = [(float(found), name) for name, found in _result(submission).get("attacks", {}).items()]
    others = [
        (float(_result(one)["found"]), one.team)
        for one in attacks
        if one.target == submission.id and one.team != submission.team
    ]
    found, name = max(own + others, default=(0.0, ""))
    return name if found else ""


def standings(
    game: Game, teams: Iterable[str], published: Iterable[Handed], attacks: Iterable[Handed]
) -> list[Standing]:
    """The board, best defence first; teams without a submission come last.

    The score of an attacker is the sum over other teams of what it found in that one of their submissions where it found
    least: nobody is helped by a weak second submission.
    """
    shown, tried = tuple(published), tuple(attacks)
    made = [_standing(game, team, shown, tried) for team in teams]
    return sorted(made, key=lambda one: (one.defence is None, -(one.defence or 0), one.team))


def _standing(game: Game, team: str, shown: tuple[Handed, ...], tried: tuple[Handed, ...]) -> Standing:
    """One line of the board."""
    rated = []
    for one in shown:
        if one.team == team:
            worth, found = float(_result(one)["worth"]), found_in(one, tried)
            rated.append((game.together(worth, found), -one.id, worth, found))
    attack = sum(_least(team, other, shown, tried) for other in {one.team for one in shown} - {team})
    if not rated:
        return Standing(team, None, attack, None, None, None)
    score, number, worth, found = max(rated)
    return Standing(team, score, attack, -number, worth, found)


def _least(team: str, other: str, shown: tuple[Handed, ...], tried: tuple[Handed, ...]) -> float:
    """The least over another team's submissions of the best that a team found in it."""
    best = [
        max((float(_result(a)["found"]) for a in tried if a.team == team and a.target == one.id), default=0.0)
        for one in shown if one.team == other
    ]  # fmt: skip
    return min(best, default=0.0)


def _result(handed: Handed) -> dict[str, Any]:
    """What the judge said."""
    return handed.result or {}
