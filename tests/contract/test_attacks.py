"""Every attack keeps the contract of attacks. Adding an attack adds its judges and a line to `attack_cases.CASES`."""

from dataclasses import dataclass, fields

import numpy as np
import pytest
from tests.contract.attack_cases import CASES

from sfumato.attack.registry import known_attacks
from sfumato.testing.attack_contract import OnlyGuesses, finds_the_known_answer, gains_nothing_from_silence

NAMES = [f"{case.attack.attack} {i}" for i, case in enumerate(CASES)]


def test_every_attack_of_the_room_has_a_case():
    assert {case.attack.attack for case in CASES} == set(known_attacks())
    assert all(type(case.attack) is known_attacks()[case.attack.attack] for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_it_finds_the_known_answer_and_the_control_does_not(case):
    assert finds_the_known_answer(case, case.attack, seed=11)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_release_that_says_nothing_gives_nothing(case):
    assert gains_nothing_from_silence(case, case.attack, seed=12)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_it_only_guesses(case):
    attack = case.attack
    watched = OnlyGuesses(attack)
    shown = type("Watched", (), {"guess": watched.guess, **{f.name: getattr(attack, f.name) for f in fields(attack)}})
    case.known(shown, np.random.default_rng(13))
    hash(attack)  # its fields are plain values, not tables


@dataclass(frozen=True)
class ByOrder:
    """A broken twin of linkability: it names the person at the same place, which only the judge's files betray."""

    def guess(self, view, knowledge, rng):
        return np.arange(len(knowledge.codes))


@dataclass(frozen=True)
class NotLooking:
    """Another: it names anybody, whatever was published."""

    def guess(self, view, knowledge, rng):
        return rng.integers(0, len(knowledge.codes), len(knowledge.codes))


@dataclass(frozen=True)
class Writing:
    """Another: it leaves its mark in what it was shown."""

    def guess(self, view, knowledge, rng):
        knowledge.codes[0] = 0
        return np.arange(len(knowledge.codes))


def test_broken_twins_are_caught():
    case = next(case for case in CASES if case.attack.attack == "linkability")
    assert not gains_nothing_from_silence(case, ByOrder(), seed=1)
    assert gains_nothing_from_silence(case, NotLooking(), seed=2)
    assert not finds_the_known_answer(case, NotLooking(), seed=3)
    with pytest.raises(AssertionError, match="write"):
        case.known(OnlyGuesses(Writing()), np.random.default_rng(4))
    with pytest.raises(AssertionError, match="again"):
        case.known(OnlyGuesses(Counting([])), np.random.default_rng(5))


@dataclass(frozen=True)
class Counting:
    """Another: it remembers how often it was asked."""

    asked: list

    def guess(self, view, knowledge, rng):
        self.asked.append(1)
        return np.full(len(knowledge.codes), len(self.asked))
