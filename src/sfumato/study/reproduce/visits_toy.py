"""The toy table of scikit-mobility's privacy module, attacked with k known visits: our risks beside the recorded ones.

Seven invented persons and four places; scikit-mobility 1.3.1 was run on the same table, the last two attacks are those of
its documentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.traces.background import Visits, home_and_work, risks
from sfumato.frozen import dataclass
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome

if TYPE_CHECKING:
    from sfumato.attack.traces.background import Knows
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray

PERSONS = "11112222333344455566777"
PLACES = "30123130013210212330332"
"""Four places from south to north, which is the order in which ties of home and work are taken."""
DAYS = "33343344334444444544445"
"""Days of February 2011."""
_T = 1 / 3


@dataclass(frozen=True, slots=True)
class _Row:
    """One attack, with what scikit-mobility gives for the persons 1 to 7."""

    knows: Knows
    k: int
    recorded: tuple[float, ...]
    tolerance: float = 0.0


ROWS = (
    _Row("places", 2, (_T, 0.5, _T, _T, 0.25, 0.25, 0.5)),
    _Row("places", 3, (0.5, 1, 0.5, _T, _T, 0.25, 1)),
    _Row("sequence", 2, (0.5, 0.5, 1, 0.5, 1, _T, 0.5)),
    _Row("times", 2, (1, 1, 1, 1, 1, 0.5, 1)),
    _Row("distinct places", 2, (_T, 0.25, _T, _T, 0.25, 0.25, 0.25)),
    _Row("frequencies", 2, (_T, 1, _T, _T, _T, _T, 1)),
    _Row("probabilities", 2, (0.5, 1, 0.5, 1, 1, 1, 1)),
    _Row("probabilities", 2, (_T, 0.5, _T, _T, 0.25, 1, 1), 0.5),
    _Row("proportions", 2, (_T, 1, _T, _T, _T, _T, 1)),
    _Row("proportions", 2, (_T, 0.25, _T, _T, _T, _T, 0.25), 0.5),
)
HOME_AND_WORK = (0.25, 0.25, 0.25, 0.25, 1, 1, 1)

_COLUMNS = (
    Column("attack", "intruder knows", "What an intruder knows of each visit.", "text"),
    Column("k", "k", "How many visits or places are known; empty for home and work.", "count"),
    Column("tolerance", "tolerance", "Share by which a number may be off."),
    Column("person", "person", "Of the toy table.", "count"),
    Column("risk", "risk", "1 over the persons who have what is known, for the worst choice of k."),
    Column("recorded", "scikit-mobility", "What scikit-mobility 1.3.1 gives."),
    Column("stated", "by its rule", "What the stated rule gives; it differs where the code departs from the rule."),
)


def experiment() -> Experiment:
    """Known visits on the toy table."""
    return Experiment(
        name="visits-toy",
        what="risks against an intruder who knows k visits, on the toy table of scikit-mobility",
        origin="scikit-mobility 1.3.1, examples/privacy_toy.csv; R. Pellungrini et al., ACM TIST 9(3), 2018",
        duration="2 seconds",
        run=run,
    )


def toy() -> Visits:
    """The 23 visits of the toy table; times to the day.

    Example:
        >>> len(toy().place), int(toy().person[-1])
        (23, 6)
    """
    person, place, day = (np.array([int(x) for x in text]) for text in (PERSONS, PLACES, DAYS))
    return Visits(person - 1, place, day)


def run(_order: Order) -> Outcome:
    """All attacks, all persons."""
    visits, rows = toy(), list[dict[str, "Cell"]]()
    for row in ROWS:
        ours = risks(visits, row.knows, row.k, tolerance=row.tolerance, compat=True)
        stated = risks(visits, row.knows, row.k, tolerance=row.tolerance)
        rows += _lines((row.knows, row.k, row.tolerance), (ours, np.array(row.recorded), stated))
    both = home_and_work(visits, compat=True), home_and_work(visits)
    rows += _lines(("home and work", None, 0.0), (both[0], np.array(HOME_AND_WORK), both[1]))
    names = [row.knows + f", {row.k}" + f", ±{row.tolerance:g}" * bool(row.tolerance) for row in ROWS]
    names.append("home and work")
    lines = (
        Line("here", _means(rows, "risk")),
        Line("scikit-mobility", _means(rows, "recorded"), kind="reference", like="here"),
    )
    figure = Figure(
        "risks", "Mean risk by what an intruder knows", ("what is known", "mean risk"),
        tuple(map(float, range(len(names)))), lines, marks=tuple(names),
    )  # fmt: skip
    told_apart = (
        "Home and work: its rule says the two most visited places, its code takes the two least visited; the tolerance of a "
        "number is a share of the other person's number in its code, of the known one by the rule here. The column of risks "
        "follows the code (`compat`), the last column the rule."
    )
    return Outcome(_COLUMNS, tuple(rows), (figure,), (told_apart,))


def _means(rows: list[dict[str, Cell]], key: str) -> tuple[float, ...]:
    """Over the seven persons, for each attack."""
    each = np.array([float(str(row[key])) for row in rows]).reshape(-1, 7)
    return tuple(each.mean(axis=1).tolist())


def _lines(
    head: tuple[str, int | None, float], values: tuple[FloatArray, FloatArray, FloatArray]
) -> list[dict[str, Cell]]:
    """One line for each person."""
    return [
        {
            "attack": head[0], "k": head[1], "tolerance": head[2], "person": i + 1,
            "risk": float(ours), "recorded": float(recorded), "stated": float(stated),
        }
        for i, (ours, recorded, stated) in enumerate(zip(*values, strict=True))
    ]  # fmt: skip
