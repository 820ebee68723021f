"""What an intruder learns from more synthetic profiles, and from the true shares: 1, 3 and 5 a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.attack.sampled_attribute import guess
from sfumato.attack.sampled_boosting import available_booster
from sfumato.study.reproduce.collected import ACCURACY, ACS, FEWER, ORIGIN, SCHEME, accuracy, as_published, collect
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.reference import ATTACK_EPSILONS, BAYES, LEARNED

if TYPE_CHECKING:
    from sfumato.study.reproduce.collected import Collection
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import IntArray

_EPSILON = 6
_TIMES, _QUICK_TIMES = (1, 3, 5), (1, 5)
_SHARES = ("estimated", "true")
_FULL, _QUICK = ("RS+FD[GRR]", "RS+FD[SUE-z]"), ("RS+FD[GRR]",)
_COLUMNS = (
    *SCHEME,
    Column(
        "shares", "shares", "What the intruder knows of the values: estimated from the reports, or the truth.", "text"
    ),
    Column("attack", "attack", "Bayes' rule in closed form, or boosted trees.", "text"),
    Column("profiles", "profiles", "Synthetic profiles that the trees learned from.", "count"),
    *ACCURACY,
)


def experiment() -> Experiment:
    """The attack of the papers with more to learn from."""
    return Experiment(
        name="attack-acs-profiles",
        what=f"the same attack at eps = {_EPSILON}: boosted trees on 1N, 3N, 5N profiles, estimated and true shares",
        origin=ORIGIN,
        duration="10 minutes",
        run=run,
        data=ACS,
        runs=(1, 1),
        unit="collections",
    )


def run(order: Order) -> Outcome:
    """Both schemes, both kinds of shares, all numbers of profiles."""
    persons, labels, rows = order.public_table().codes(), _QUICK if order.quick else _FULL, []
    bits, rng = order.bits(), order.rng()
    times_of = _QUICK_TIMES if order.quick else _TIMES
    unit, total = len(persons) // (FEWER if order.quick else 1), len(labels) * len(_SHARES) * len(times_of)
    for label in labels:
        scheme = as_published(label, _EPSILON, persons)
        played = [collect(scheme, persons, bits=bits) for _ in range(order.runs)]
        head: dict[str, Cell] = {"scheme": label, "epsilon": _EPSILON, "tuple_epsilon": scheme.epsilons.tuple_level}
        for shares in _SHARES:
            rows.append({**head, **_row(label, shares, 0, [_best(one, shares) for one in played], played)})
            for times in times_of:
                order.progress(sum(row["profiles"] is not None for row in rows), total, f"{label}, {times}N profiles")
                guesses = [one.learned(getattr(one, shares), times * unit, rng=rng) for one in played]
                rows.append({**head, **_row(label, shares, times * unit, guesses, played)})
    notes = (
        f"Boosting: {available_booster().value}; its reference is xgboost on as many profiles as persons.",
        "The epsilon is as published; `true eps` is what a whole record really leaks.",
    )
    return Outcome(_COLUMNS, tuple(rows), (_figure(labels, [times * unit for times in times_of], rows),), notes)


def _best(one: Collection, shares: str) -> IntArray:
    """What Bayes' rule guesses."""
    return guess(one.seen, one.laws, getattr(one, shares))


def _row(label: str, shares: str, profiles: int, guesses: list[IntArray], played: list[Collection]) -> dict[str, Cell]:
    """One line of the table, without its head; no profiles: the closed form."""
    known = {0: BAYES, len(played[0].sampled): LEARNED}.get(profiles)
    compared = known is not None and shares == "estimated"
    reference = known[label][ATTACK_EPSILONS.index(_EPSILON)] if known is not None and compared else None
    attack = "boosting" if profiles else "closed form"
    return {"shares": shares, "attack": attack, "profiles": profiles or None, **accuracy(guesses, played, reference)}


def _figure(labels: tuple[str, ...], profiles: list[int], rows: list[dict[str, Cell]]) -> Figure:
    """Boosted trees as lines, the best guess as levels."""
    lines = []
    for label in labels:
        for shares in _SHARES:
            mine = [row for row in rows if row["scheme"] == label and row["shares"] == shares]
            values = tuple(float(row["accuracy"] or 0) for row in mine)
            lines.append(Line(f"{label}, {shares} shares", values[1:]))
            if shares == "true":
                lines.append(Line(f"best on {label}", values[:1] * len(profiles), kind="level"))
    return Figure(
        "profiles",
        f"Share of persons whose sampled attribute was guessed at epsilon {_EPSILON}, by number of synthetic profiles",
        ("synthetic profiles", "guessed rightly"),
        tuple(float(n) for n in profiles),
        tuple(lines),
        marks=tuple(f"{n:,}" for n in profiles),
    )
