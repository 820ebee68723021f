"""Who is found again in protected traces: the first half of the days is known, the second half is released."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.promesse import Promesse
from sfumato.numbers.distinct import distinct
from sfumato.release.trace_trials.case import case_of
from sfumato.release.trace_trials.identity import IdentityJudge
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.trace_data import SETS, traces_of

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.study.reproduce.trace_data import TraceSet
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces

PROTECTIONS = ("identity", "Promesse 100 m", "geo-ind .1", "geo-ind .01", "geo-ind .001")
_EPSILONS = {"geo-ind .1": "0.1", "geo-ind .01": "0.01", "geo-ind .001": "0.001"}
_QUICK = ("identity", "Promesse 100 m", "geo-ind .01")
_GUESSES = 500

_COLUMNS = (
    Column("protection", "protection", "What was done to every fix; geo-ind: epsilon per metre, on cells of 10 m.", "text"),
    Column("fixes", "fixes", "Fixes released, of all days.", "count"),
    Column("attack", "found", "What the intruder compares.", "text"),
    Column("persons", "persons", "Persons with something in both halves of the days.", "count"),
    Column("found", "rate", "Share of them who are found.", "percent"),
    Column("low", "from", "Lower end of Wilson's 95 % interval.", "percent"),
    Column("high", "to", "Upper end.", "percent"),
    Column("control", "control", "The same names, the persons shuffled.", "percent"),
    Column("all", "of all", "Found persons over all persons of the table.", "percent"),
)  # fmt: skip


def experiments() -> tuple[Experiment, ...]:
    """One for each table."""
    return tuple(
        Experiment(
            name=f"traces-{one.name}",
            what="persons found again by places, Markov chain, heat map and all three, in traces as they are and protected",
            origin="V. Primault et al., MOST 2014; S. Gambs et al., JCSS 80(8), 2014; M. Maouche et al., MobiQuitous 2017",
            duration="5 minutes",
            run=partial(run, one),
            data=one.data,
            runs=(1, 1),
            unit="releases",
        )
        for one in SETS
    )


def run(given: TraceSet, order: Order) -> Outcome:
    """All protections, all attacks."""
    traces, rows = traces_of(order, given), list[dict[str, "Cell"]]()
    n_persons, bits = len(distinct(traces.person)), order.bits()
    names = _QUICK if order.quick else PROTECTIONS
    for done, name in enumerate(names):
        order.progress(done, len(names), name)
        for i in range(order.runs):
            released = protected(name, traces, given.region, bits=bits)
            case = case_of(traces, released, given.sight, guesses=_GUESSES, confidence=0.95, seed=order.seed + i)
            rows += [
                {
                    "protection": name, "fixes": len(released), "attack": trial.target.removeprefix("by "),
                    "persons": 0 if trial.main is None else trial.main.n,
                    "found": None if trial.main is None else trial.main.value,
                    "low": None if trial.main is None else trial.main.interval.low,
                    "high": None if trial.main is None else trial.main.interval.high,
                    "control": None if trial.control is None else trial.control.value,
                    "all": None if trial.main is None else trial.main.successes / n_persons,
                }
                for trial in IdentityJudge().trials(case)
            ]  # fmt: skip
    notes = (
        f"{n_persons} persons with {given.least} fixes or more; at most {_GUESSES} are looked for among all who are known.",
        "What is known are places as they are, not protected ones. Whoever is in one half of the days only is not looked for.",
        '"any of the three" is the defender\'s worst case: an intruder has three names and does not know which is right.',
    )
    return Outcome(_COLUMNS, tuple(rows), (_figure(given, names, rows),), notes)


def protected(name: str, traces: Traces, region: Region, *, bits: Bits) -> Traces:
    """The traces as one of the protections (`PROTECTIONS`) releases them."""
    if name == "identity":
        return traces
    if name == "Promesse 100 m":
        return Promesse(100, 3600).smooth(traces)
    law = GeoIndistinguishable(region, _EPSILONS[name])
    latitude, longitude = law.protect(traces.latitude, traces.longitude, bits=bits)
    return replace(traces, latitude=latitude, longitude=longitude)


def _figure(given: TraceSet, names: tuple[str, ...], rows: list[dict[str, Cell]]) -> Figure:
    """Shares of all persons who are found, by protection: one line for each attack."""
    attacks = list(dict.fromkeys(str(row["attack"]) for row in rows))
    lines = [
        Line(attack, tuple(_first(rows, name, attack) for name in names)) for attack in attacks
    ]  # fmt: skip
    return Figure(
        given.name,
        "Share of all persons who are found again, by protection",
        ("protection", "found"),
        tuple(map(float, range(len(names)))),
        tuple(lines),
        marks=names,
    )


def _first(rows: list[dict[str, Cell]], name: str, attack: str) -> float | None:
    """The share in the first run."""
    found = next(row["all"] for row in rows if (row["protection"], row["attack"]) == (name, attack))
    return None if found is None else float(found)
