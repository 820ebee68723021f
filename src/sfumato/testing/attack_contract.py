"""The contract of attacks: they succeed where the answer is known, gain nothing where nothing is said, and only guess."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.interval import lower_bound, upper_bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.attack.base import Attack
    from sfumato.types import BoolArray

FALSE_ALARM = 1e-6
"""Probability with which an attack that gains nothing is said to gain something."""


@dataclass(frozen=True, slots=True)
class AttackCase:
    """One attack under test, with three small judges: each plays it and returns which guesses were right.

    Args:
        attack: the attack.
        known: on a release that gives the answer away.
        control: the same guesses on that release by somebody whom it says nothing, or about persons who are not in it.
        silent: on a release that says nothing; guesses must be right independently of each other.
        chance: probability of a right guess there, or a bound of it, whatever is guessed.
        least: share of right guesses on the known answer.
    """

    attack: Attack[Any, Any, Any]
    known: Callable[[Attack[Any, Any, Any], np.random.Generator], BoolArray]
    control: Callable[[Attack[Any, Any, Any], np.random.Generator], BoolArray]
    silent: Callable[[Attack[Any, Any, Any], np.random.Generator], BoolArray]
    chance: float
    least: float = 1.0


def finds_the_known_answer(case: AttackCase, attack: Attack[Any, Any, Any], *, seed: int) -> bool:
    """Whether it is right as often as it must be, and surely more often than the control."""
    main, control = (play(attack, np.random.default_rng(seed)) for play in (case.known, case.control))
    above = lower_bound(int(main.sum()), len(main), FALSE_ALARM / 2)
    below = upper_bound(int(control.sum()), len(control), FALSE_ALARM / 2)
    return bool(main.mean() >= case.least and above > below)


def gains_nothing_from_silence(case: AttackCase, attack: Attack[Any, Any, Any], *, seed: int) -> bool:
    """Whether a release that says nothing leaves it at chance; wrong with probability `FALSE_ALARM` at most."""
    hits = case.silent(attack, np.random.default_rng(seed))
    return lower_bound(int(hits.sum()), len(hits), FALSE_ALARM) <= case.chance


@dataclass(frozen=True, slots=True)
class OnlyGuesses:
    """An attack that is watched: it must write into nothing, keep nothing, and draw from the given chance alone."""

    watched: Attack[Any, Any, Any]

    def guess(self, view: Any, knowledge: Any, rng: np.random.Generator, /) -> Any:
        """The guesses.

        Raises:
            AssertionError: it changed what it was shown, or guesses otherwise when asked again.
        """
        seen, again = pickle.dumps((view, knowledge)), copy.deepcopy(rng)
        out = self.watched.guess(view, knowledge, rng)
        if pickle.dumps((view, knowledge)) != seen:
            raise AssertionError("An attack must not write into its view or its knowledge.")
        if pickle.dumps(self.watched.guess(view, knowledge, again)) != pickle.dumps(out):
            raise AssertionError("An attack that is asked again with the same chance must guess the same.")
        return out
