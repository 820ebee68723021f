"""The attacks of `sfumato attack` as figures of a release of traces, for a sweep that asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SchemaError
from sfumato.release.measure import SEED
from sfumato.release.method.method import ATTACK
from sfumato.release.trace_attacking import sight_of
from sfumato.release.trace_trials.case import all_trace_trials, case_of
from sfumato.release.traces.run import case_of_run
from sfumato.summary.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.attack.scoring import Trial
    from sfumato.release.traces.run import TracesOutcome

_GUESSES = 300
_CONTROL = "control."
_SOURCE = "docs/how-to/attack-traces.md"


def attack_figures(outcome: TracesOutcome) -> list[Figure]:
    """The most successful form of each attack, and its control; () where nobody is told or traces span one day."""
    case = case_of_run(outcome, np.random.default_rng(SEED))
    if case.seen is None:
        return []
    sight = sight_of(case.said, cells=case.said.places == "cells")
    try:
        tried = case_of(case.before, case.after, sight, guesses=_GUESSES, confidence=0.95, seed=SEED)
    except SchemaError:
        return []
    return _figures(all_trace_trials(tried))


def _figures(trials: Iterable[Trial]) -> list[Figure]:
    """Two figures for each name of an attack."""
    best: dict[str, Trial] = {}
    for trial in trials:
        if trial.main is not None and _rate(trial) > _rate(best.get(trial.attack)):
            best[trial.attack] = trial
    out = []
    for name, trial in best.items():
        key, control = name.replace(" ", "-"), None if trial.control is None else trial.control.value
        text = f"Success of the best form of this attack ({trial.target}). {trial.definition}"
        out.append(Figure(f"{ATTACK}{key}", f"Success of attacks: {name}", _rate(trial), text, _SOURCE))
        beside = f"Success of the control of {key}: what chance and common habits give."
        out.append(Figure(f"{_CONTROL}{key}", f"Control of attacks: {name}", control, beside, _SOURCE))
    return out


def _rate(trial: Trial | None) -> float:
    """Right guesses over all; below nothing where there is none."""
    return -1.0 if trial is None or trial.main is None else trial.main.value
