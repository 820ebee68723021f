"""How often the sampled attribute is guessed on ACSEmployment: Bayes' rule beside boosted trees, by epsilon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.attack.sampled_attribute import guess
from sfumato.attack.sampled_boosting import available_booster
from sfumato.study.reproduce.collected import ACCURACY, ACS, FEWER, ORIGIN, SCHEME, accuracy, as_published, collect
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.reference import ATTACK_EPSILONS, BAYES, LEARNED

if TYPE_CHECKING:
    import numpy as np

    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import IntArray

_SCHEMES = (*BAYES, "RS+RFD[GRR]", "RS+RFD[SUE-r]", "RS+RFD[OUE-r]")
_QUICK_EPSILONS, _QUICK_SCHEMES = (1, 6), ("RS+FD[GRR]",)
_KIND = Column("attack", "attack", "Bayes' rule in closed form (estimated or true shares) or boosted trees.", "text")
_NOTES = (
    "The epsilon is as published; `true eps` is what a whole record really leaks.",
    "RS+RFD has exactly the true shares as its prior; papers noise it, so their figures are higher and not beside.",
    "On average no guess is right more often than the closed form with true shares.",
)


def experiment() -> Experiment:
    """The attack of the papers, and the best one."""
    return Experiment(
        name="attack-acs",
        what="guessing the sampled attribute of RS+FD and RS+RFD on ACSEmployment, best guess and boosted trees",
        origin=ORIGIN,
        duration="20 minutes",
        run=run,
        data=ACS,
        runs=(1, 1),
        unit="collections",
    )


def run(order: Order) -> Outcome:
    """All schemes at all epsilons, by each attack."""
    persons, epsilons = order.public_table().codes(), _QUICK_EPSILONS if order.quick else ATTACK_EPSILONS
    labels = _QUICK_SCHEMES if order.quick else _SCHEMES
    cells = [(label, epsilon) for label in labels for epsilon in epsilons]
    rows: list[dict[str, Cell]] = []
    bits, rng = order.bits(), order.rng()
    for i, (label, epsilon) in enumerate(cells):
        order.progress(i, len(cells), f"{label} at {epsilon}")
        rows += _cell(label, epsilon, persons, order, (bits, rng))
    figure = _figure(labels, epsilons, rows)
    return Outcome((*SCHEME, _KIND, *ACCURACY), tuple(rows), (figure,), (*_NOTES, _learner(order)))


def _cell(
    label: str, epsilon: int, persons: IntArray, order: Order, chance: tuple[Bits, np.random.Generator]
) -> list[dict[str, Cell]]:
    """One line for each attack; the guesses of all runs together."""
    (bits, rng), at = chance, ATTACK_EPSILONS.index(epsilon)
    scheme = as_published(label, epsilon, persons)
    played = [collect(scheme, persons, bits=bits) for _ in range(order.runs)]
    n_profiles = len(persons) // (FEWER if order.quick else 1)
    attacks = {
        "closed form": [guess(one.seen, one.laws, one.estimated) for one in played],
        "closed form, true shares": [guess(one.seen, one.laws, one.true) for one in played],
        "boosting": [one.learned(one.estimated, n_profiles, rng=rng) for one in played],
    }
    known = {"closed form": BAYES} if order.quick else {"closed form": BAYES, "boosting": LEARNED}
    references = {name: values[label][at] for name, values in known.items() if label in values}
    head: dict[str, Cell] = {"scheme": label, "epsilon": epsilon, "tuple_epsilon": scheme.epsilons.tuple_level}
    return [
        {**head, "attack": name, **accuracy(guesses, played, references.get(name))} for name, guesses in attacks.items()
    ]


def _learner(order: Order) -> str:
    """Which trees learned from how much."""
    share = f"{FEWER} times fewer synthetic profiles than" if order.quick else "as many synthetic profiles as"
    return f"Boosting: {available_booster().value}, learned from {share} persons; its reference is xgboost."


def _figure(labels: tuple[str, ...], epsilons: tuple[int, ...], rows: list[dict[str, Cell]]) -> Figure:
    """The best guess as lines, boosted trees as hollow marks of the same color."""
    lines = []
    for label in labels:
        lines.append(Line(label, _accuracies(rows, label, "closed form")))
        lines.append(Line("boosting", _accuracies(rows, label, "boosting"), kind="reference", like=label))
    lines.append(Line("blind", tuple(float(rows[0]["baseline"] or 0) for _ in epsilons), kind="level"))
    return Figure(
        "attack",
        "Share of persons whose sampled attribute was guessed, by published epsilon",
        ("published epsilon", "guessed rightly"),
        tuple(float(epsilon) for epsilon in epsilons),
        tuple(lines),
    )


def _accuracies(rows: list[dict[str, Cell]], label: str, attack: str) -> tuple[float, ...]:
    """The accuracies of one attack on one scheme, by epsilon."""
    return tuple(float(r["accuracy"] or 0) for r in rows if r["scheme"] == label and r["attack"] == attack)
