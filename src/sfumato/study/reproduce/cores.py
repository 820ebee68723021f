"""Error of private core numbers against ε: what the course prints, at its true price, beside ours and trivial answers."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.cost import pure_epsilon
from sfumato.mechanism.graph.cores.baseline import NoisyDegrees, OneGuess
from sfumato.mechanism.graph.cores.montresor import NoisyMontresor
from sfumato.mechanism.graph.cores.naive import NaiveCores
from sfumato.mechanism.graph.cores.peeling import LevelStructure, MatPeeling
from sfumato.mechanism.graph.cores.published import PublishedMontresor, PublishedNaive
from sfumato.mechanism.graph.cores.rising import RisingPeeling
from sfumato.study.reproduce.data import Dataset
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.summary.cores import core_numbers, montresor_rounds
from sfumato.table.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.mechanism.graph.cores.result import CoreMechanism
    from sfumato.study.reproduce.experiment import Cell, Order

_FULL = tuple(map(Fraction, ("1/4", "1/2", "1", "2", "4", "8")))
_QUICK = tuple(map(Fraction, ("1", "4")))
KARATE = (
    "1 2 3 4 5 6 7 8 10 11 12 13 17 19 21 31,2 3 7 13 17 19 21 30,3 7 8 9 13 27 28 32,7 12 13,6 10,6 10 16,16,,30 32 33,33,"
    ",,,33,32 33,32 33,,,32 33,33,32 33,,32 33,25 27 29 32 33,25 27 31,31,29 33,33,31 33,32 33,32 33,32 33,33"
)
"""For each member from 0 the friends with larger numbers.

Source: W. Zachary, "An information flow model for conflict and fission in small groups", 1977.
"""
EMAIL = Dataset(
    title="email-Eu-core (who writes to whom in a European institution)",
    published='"email-Eu-core network" of SNAP (Leskovec, Kleinberg, Faloutsos 2007)',
    files=("graphs/email-Eu-core.csv.gz", "email-Eu-core.csv.gz", "email-Eu-core.csv"),
    columns=(("u", "from", "source"), ("v", "to", "target")),
    missing=(),
    rows=25571,
)

_COLUMNS = (
    Column("algorithm", "algorithm", "What is published.", "text"),
    Column("trusted", "trusted", "Who must be trusted: nobody, or a curator.", "text"),
    Column("epsilon", "true eps", "True epsilon of one edge, for the whole process, in nats."),
    Column("stated", "stated", "Epsilon that the course would state for the same noise; empty for ours."),
    Column("mae", "error", "Mean absolute error of a core number, mean over runs."),
    Column("mae_error", "+-", "Standard error of `mae`; empty for one run."),
)


def experiments() -> tuple[Experiment, Experiment]:
    """On the karate club, which is built in, and on the e-mails of an institution."""
    origin = "B. Nguyen, course on anonymisation, after Eichler, Rossi, Nguyen, Berthome, Vazirgiannis, APVP 2017"
    what = "mean absolute error of private core numbers by true epsilon"
    karate = Experiment(
        "cores",
        f"{what}, karate club",
        origin,
        "10 seconds",
        lambda o: run(o, karate_club()),
        runs=(200, 20),
        unit="runs",
    )
    email = Experiment(
        "cores-email", f"{what}, e-mails of an institution", origin, "1 minute", lambda o: run(o, _of_table(o)),
        data=EMAIL, runs=(20, 2), unit="runs",
    )  # fmt: skip
    return karate, email


def karate_club() -> Graph:
    """34 members, 78 friendships.

    Example:
        >>> len(karate_club().edges)
        78
    """
    pairs = [(u, int(v)) for u, friends in enumerate(KARATE.split(",")) for v in friends.split()]
    return Graph(34, np.array(pairs))


def _of_table(order: Order) -> Graph:
    """The graph of the public table's two columns."""
    cells = np.array(list(order.public_table().cells.values()))
    names, codes = np.unique(cells, return_inverse=True)
    return Graph(len(names), codes.reshape(cells.shape).T)


def mechanisms(vertices: int, epsilon: Fraction, rounds: int) -> Iterator[tuple[CoreMechanism, Fraction | None]]:
    """Everything at one true price, and what the course would state for it.

    Args:
        vertices: n.
        epsilon: true, for one edge.
        rounds: Z, what Montresor's rounds take without noise.
    """
    yield RisingPeeling(vertices, epsilon), None
    yield NoisyMontresor(vertices, epsilon), None
    yield MatPeeling(vertices, epsilon), None
    yield LevelStructure(vertices, epsilon), None
    yield NaiveCores(vertices, epsilon), None
    yield PublishedMontresor(vertices, epsilon / 2, rounds), epsilon / 2
    yield PublishedNaive(vertices, epsilon / vertices), epsilon / vertices
    yield NoisyDegrees(vertices, epsilon), None
    yield OneGuess(vertices, epsilon), None


def run(order: Order, graph: Graph) -> Outcome:
    """All mechanisms at all prices."""
    epsilons, bits, exact = _QUICK if order.quick else _FULL, order.bits(), core_numbers(graph)
    rounds, rows = sum(1 for _ in montresor_rounds(graph)), list[dict[str, "Cell"]]()
    for done, epsilon in enumerate(epsilons):
        order.progress(done, len(epsilons), f"epsilon {float(epsilon):g}")
        for mechanism, stated in mechanisms(graph.vertices, epsilon, rounds):
            runs = (mechanism.decide(graph, bits=bits).numbers for _ in range(order.runs))
            off = np.array([np.abs(numbers - exact).mean() for numbers in runs])
            rows.append(_row(mechanism, stated, off))
    zero, degrees = float(exact.mean()), float((graph.degrees - exact).mean())
    notes = (
        f"Answering 0 for all errs by {zero:.2f}, exact degrees (not private) by {degrees:.2f}; core numbers go to {exact.max()}.",
        f"Montresor takes {rounds} rounds here, the last without news: Z of what is published. Every message counts.",
    )
    return Outcome(_COLUMNS, tuple(rows), (_figure(epsilons, rows, zero),), notes)


def _row(mechanism: CoreMechanism, stated: Fraction | None, off: np.ndarray) -> dict[str, Cell]:
    """One line of the table."""
    price = pure_epsilon(mechanism.event)
    return {
        "algorithm": mechanism.name,
        "trusted": "nobody" if mechanism.is_local else "a curator",
        "epsilon": None if price is None else float(price),
        "stated": None if stated is None else float(stated),
        "mae": float(off.mean()),
        "mae_error": float(off.std(ddof=1) / sqrt(len(off))) if len(off) > 1 else None,
    }


def _figure(epsilons: tuple[Fraction, ...], rows: list[dict[str, Cell]], zero: float) -> Figure:
    """Error against true ε."""
    names = dict.fromkeys(str(row["algorithm"]) for row in rows)
    lines = [Line(name, tuple(float(str(row["mae"])) for row in rows if row["algorithm"] == name)) for name in names]
    level = Line("0 for all", (zero,) * len(epsilons), kind="level")
    title = "Mean absolute error of private core numbers by true epsilon"
    axes = ("epsilon of one edge, whole process", "mean absolute error")
    return Figure("error", title, axes, tuple(map(float, epsilons)), (*lines, level), log=(True, True))
