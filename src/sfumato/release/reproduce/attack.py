"""How often is the sampled attribute guessed on ACSEmployment? Bayes' rule beside boosted trees, by epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.attack.sampled_attribute import guess, score
from sfumato.attack.sampled_boosting import available_booster, guess_by_boosting
from sfumato.mechanism.local.projections import project_simplex
from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.faked import count_faked, randomize_marked, view
from sfumato.release.reproduce.data import Dataset
from sfumato.release.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.release.reproduce.reference import ATTACK_EPSILONS, BAYES, LEARNED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.noise.bits import Bits
    from sfumato.release.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray, IntArray

ACS = Dataset(
    title="ACSEmployment (American Community Survey, Montana)",
    published="the folktables task ACSEmployment of the US Census Bureau's ACS public-use microdata; "
    'the cut used here is "db_ACSEmployement" of the repository hharcolezi/risks-ldp',
    files=("acs_folktables/ACSEmployment_Montana.csv.gz", "ACSEmployment_Montana.csv.gz", "db_ACSEmployement.csv"),
    columns=tuple(
        (name,)
        for name in (
            "AGEP", "SCHL", "MAR", "SEX", "DIS", "ESP", "MIG", "CIT", "MIL",
            "ANC", "NATIVITY", "RELP", "DEAR", "DEYE", "DREM", "RAC1P", "GCL", "ESR",
        )
    ),
    missing=(),
    rows=10336,
)  # fmt: skip

_CONFIDENCE = 0.95
_QUICK_EPSILONS, _QUICK_SCHEMES = (1, 6), ("RS+FD[GRR]", "RS+FD[SUE-z]")
_QUICK_SHARE = 20
"""A quick version learns from this many times fewer profiles."""
_GUESSES = ("closed form", "closed form, true shares", "boosting")

_COLUMNS = (
    Column("scheme", "scheme", "Solution that hides the sampled attribute among fakes.", "text"),
    Column("epsilon", "eps", "Epsilon as published, in nats.", "count"),
    Column("tuple_epsilon", "true eps", "Exact epsilon of a person's whole record, in nats, rounded up."),
    Column("attack", "attack", "Bayes' rule in closed form (estimated or true shares) or boosted trees.", "text"),
    Column("accuracy", "accuracy", "Share of persons whose sampled attribute was guessed.", "percent"),
    Column("low", "low", "Lower end of its 95 % interval (Wilson).", "percent"),
    Column("high", "high", "Upper end.", "percent"),
    Column("baseline", "blind", "1/d, what guessing blindly reaches.", "percent"),
    Column("reference", "reference", "The same measured elsewhere; empty where it was not.", "percent"),
)
_NOTES = (
    "The epsilon is as published; `true eps` is what a whole record really leaks.",
    "RS+RFD has the true shares as its prior. On average no guess is right more often than the closed form with true shares.",
)


@dataclass(frozen=True, slots=True)
class _Collection:
    """One simulated collection: what the intruder sees, and the truth."""

    seen: list[Any]
    laws: list[Any]
    estimated: list[FloatArray]
    sampled: IntArray


def experiment() -> Experiment:
    """The attack of the papers, and the best one."""
    return Experiment(
        name="attack-acs",
        what="guessing the sampled attribute of RS+FD and RS+RFD on ACSEmployment, best guess and boosted trees",
        origin="H. Arcolezi, S. Gambs, J.-F. Couchot, C. Palamidessi, VLDB 2023; "
        "slides of J.-F. Couchot and H. Arcolezi, 2023",
        duration="20 minutes",
        run=run,
        data=ACS,
        runs=(1, 1),
        unit="collections",
    )


def run(order: Order) -> Outcome:
    """All schemes at all epsilons, by each attack."""
    persons, epsilons = order.public_table().codes(), _QUICK_EPSILONS if order.quick else ATTACK_EPSILONS
    labels = _QUICK_SCHEMES if order.quick else tuple(BAYES)
    cells = [(label, epsilon) for label in labels for epsilon in epsilons]
    rows: list[dict[str, Cell]] = []
    bits, rng = order.bits(), order.rng()
    for i, (label, epsilon) in enumerate(cells):
        order.progress(i, len(cells), f"{label} at {epsilon}")
        rows += _cell(label, epsilon, persons, order, (bits, rng))
    return Outcome(_COLUMNS, tuple(rows), (_figure(labels, epsilons, rows),), (*_NOTES, _learner(order)))


def _cell(
    label: str, epsilon: int, persons: IntArray, order: Order, chance: tuple[Bits, np.random.Generator]
) -> list[dict[str, Cell]]:
    """One line for each attack; the guesses of all runs together."""
    bits, rng = chance
    sizes = [int(size) for size in persons.max(axis=0) + 1]
    true = [np.bincount(column) / len(persons) for column in persons.T]
    scheme: Any = scheme_by_label(
        label, float(epsilon), sizes, calibration=Calibration.AS_PUBLISHED, priors=[f.tolist() for f in true]
    )
    right: dict[str, list[tuple[IntArray, IntArray]]] = {name: [] for name in _GUESSES}
    for _ in range(order.runs):
        one = _collect(scheme, persons, bits)
        guesses = (
            guess(one.seen, one.laws, one.estimated),
            guess(one.seen, one.laws, true),
            _learned(one, len(persons) // (_QUICK_SHARE if order.quick else 1), rng),
        )
        for name, guessed in zip(_GUESSES, guesses, strict=True):
            right[name].append((guessed, one.sampled))
    head: dict[str, Cell] = {"scheme": label, "epsilon": epsilon, "tuple_epsilon": scheme.epsilons.tuple_level}
    known = {"closed form": BAYES} if order.quick else {"closed form": BAYES, "boosting": LEARNED}
    rows = [_row(head, name, right[name], len(sizes)) for name in _GUESSES]
    at = ATTACK_EPSILONS.index(epsilon)
    return [
        {**row, "reference": known[name][label][at] if name in known else None}
        for row, name in zip(rows, _GUESSES, strict=True)
    ]


def _collect(scheme: Any, persons: IntArray, bits: Bits) -> _Collection:
    """Play every person's device, and let the server estimate."""
    reports, sampled = randomize_marked(scheme.attributes, persons, bits=bits)
    estimated = [project_simplex(raw) for raw in scheme.estimate(count_faked(scheme.attributes, reports))]
    laws = [attribute.coordinate for attribute in scheme.attributes]
    return _Collection(view(scheme.attributes, reports), laws, estimated, sampled)


def _learned(one: _Collection, n_profiles: int, rng: np.random.Generator) -> IntArray:
    """What boosted trees guess that learned from synthetic profiles."""
    return guess_by_boosting(
        one.seen, one.laws, one.estimated, n_profiles=n_profiles, booster=available_booster(), rng=rng
    )


def _row(head: Mapping[str, Cell], attack: str, runs: list[tuple[IntArray, IntArray]], d: int) -> dict[str, Cell]:
    """One line of the table."""
    guesses, sampled = (np.concatenate(parts) for parts in zip(*runs, strict=True))
    found = score(guesses, sampled, d, confidence=_CONFIDENCE)
    return {
        **head,
        "attack": attack,
        "accuracy": found.accuracy,
        "low": found.interval.low,
        "high": found.interval.high,
        "baseline": found.baseline,
    }


def _learner(order: Order) -> str:
    """Which trees learned from how much."""
    share = f"{_QUICK_SHARE} times fewer synthetic profiles than" if order.quick else "as many synthetic profiles as"
    return f"Boosting: {available_booster().value}, learned from {share} persons; its reference is xgboost."


def _figure(labels: tuple[str, ...], epsilons: tuple[int, ...], rows: list[dict[str, Cell]]) -> Figure:
    """The best guess as lines, boosted trees as hollow marks of the same color."""
    lines = []
    for label in labels:
        for attack, kind, name in (("closed form", "measured", label), ("boosting", "reference", "boosting")):
            cells = [row["accuracy"] for row in rows if row["scheme"] == label and row["attack"] == attack]
            values = tuple(float(cell or 0) for cell in cells)
            lines.append(Line(name, values) if kind == "measured" else Line(name, values, kind="reference", like=label))
    lines.append(Line("blind", tuple(float(rows[0]["baseline"] or 0) for _ in epsilons), kind="level"))
    return Figure(
        "attack",
        "Share of persons whose sampled attribute was guessed, by published epsilon",
        ("published epsilon", "guessed rightly"),
        tuple(float(epsilon) for epsilon in epsilons),
        tuple(lines),
    )
