"""The board is the one that its definition gives by looking at every pair of a team, a submission and an attack."""

from types import SimpleNamespace

import numpy as np
import pytest

from sfumato.arena.board import best_attack, by_target, found_in, standings
from sfumato.arena.store import Handed

GAME = SimpleNamespace(together=lambda worth, found: worth * (1 - found))
TEAMS = ("a", "b", "c", "d", "e")


def drawn(rng):
    """Submissions and attacks of five teams, also on themselves, on what was withdrawn, and some that were refused."""
    files = []
    for number in range(1, 60):
        target = int(rng.integers(1, 14)) if number > 12 else None
        said = {"found": float(rng.random())} if target else {"worth": float(rng.random()), "attacks": {"own": 0.2}}
        state = "refused" if rng.random() < 0.2 else "accepted"
        files.append(Handed(number, str(rng.choice(TEAMS[:4])), target, 0.0, "x", state, said, 1.0))
    return [one for one in files if one.target is None], [one for one in files if one.target is not None]


def slowly(team, shown, tried):
    """(defence, attack) of a team, pair by pair."""
    own = [one for one in shown if one.team == team]
    scores = [GAME.together(one.result["worth"], found_in(one, tried)) for one in own]
    attack = 0.0
    for other in {one.team for one in shown} - {team}:
        best = [
            max([0.0, *(a.result["found"] for a in tried if (a.team, a.target) == (team, one.id))])
            for one in shown if one.team == other
        ]  # fmt: skip
        attack += min(best)
    return max(scores, default=None), attack


@pytest.mark.parametrize("seed", range(5))
def test_a_board_is_that_of_all_pairs(seed):
    published, attacks = drawn(np.random.default_rng(seed))
    shown, tried = ([one for one in files if one.state == "accepted"] for files in (published, attacks))
    board = {one.team: one for one in standings(GAME, TEAMS, published, attacks)}
    assert set(board) == set(TEAMS)
    for team in TEAMS:
        defence, attack = slowly(team, shown, tried)
        assert board[team].defence == defence
        assert board[team].attack == pytest.approx(attack, abs=1e-12)
        others = len({one.team for one in shown} - {team})
        assert board[team].both == pytest.approx(((defence or 0) + attack / others) / 2, abs=1e-12)
    on = by_target(tried)
    for one in shown:
        assert (found_in(one, on.get(one.id, ())), best_attack(one, on.get(one.id, ()))) == (
            found_in(one, tried), best_attack(one, tried),
        )  # fmt: skip
