"""A first plan for a table: guesses with their reasons, for a person to correct."""

from __future__ import annotations

from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from sfumato.frozen import dataclass
from sfumato.release.binding import MOST_CELLS, Recoding, flat, recodings
from sfumato.release.draft_context import in_context
from sfumato.release.draft_graph import ends_of
from sfumato.release.draft_traces import fixes_of
from sfumato.summary.ask import Marginals, Tuples
from sfumato.table.guess import guess_kind, likely_missing
from sfumato.table.hierarchy.propose import propose
from sfumato.table.identifier import FREE_TEXT
from sfumato.table.number import positions
from sfumato.table.role import Look, find_role
from sfumato.table.schema import Column, Kind, Role
from sfumato.table.words import known_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Engine, Header
    from sfumato.release.draft_graph import Ends
    from sfumato.release.draft_traces import Fixes
    from sfumato.summary.ask import Marginal
    from sfumato.table.role import Finding
    from sfumato.table.words import Words
    from sfumato.types import IntArray

T = TypeVar("T")
_FIRST = 32
"""So many of the most varied columns are looked at first for rows that are alone."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What one column seems to be.

    Args:
        column: the declaration proposed.
        reason: why this role, in one sentence.
        distinct: number of distinct values.
        distinction: distinct values over rows, in (0, 1].
        separation: share of pairs of rows that differ in the column, in [0, 1].
        missing: codes that may mean `missing`.
        moved: distinct dates whose two-digit year would lie beyond the present one if it were read as 1969 to 2068.
    """

    column: Column
    reason: str
    distinct: int
    distinction: float
    separation: float
    missing: tuple[str, ...]
    moved: int = 0


@dataclass(frozen=True, slots=True)
class Draft:
    """A first plan: one guess per column, columns that repeat each other, and how exposed the rows are.

    Args:
        header: what the table is.
        guesses: one per column, in table order.
        recodings: columns that determine others.
        unique: share of the rows that are alone on the proposed quasi-identifiers; None: not counted,
            because the table is too large to look at all of them together.
        person: the identifier that repeats: a person seems to have several rows; None: none repeats.
        traces: the columns of a table of who was when and where; None: it is none.
        graph: the ends of a table of edges; None: it is none, or one of traces.
    """

    header: Header
    guesses: tuple[Guess, ...]
    recodings: tuple[Recoding, ...]
    unique: float | None
    person: str | None = None
    traces: Fixes | None = None
    graph: Ends | None = None


def draft(engine: Engine[T], table: T, words: Words | None = None, *, year: int | None = None) -> Draft:
    """Look at every column of a table and guess what it is.

    Args:
        engine: where data live.
        table: its handle of the table.
        words: what names and values speak of; None: the list of the product.
        year: the present one, which no two-digit year is taken to lie beyond.
    """
    words = words or known_words()
    header = engine.header(table)
    marginals = engine.summarize(table, Marginals(tuple(header.names)))
    found = recodings(engine, table, {name: marginal.values for name, marginal in marginals.items()})
    missing = {name: likely_missing(m.values, m.counts) for name, m in marginals.items()}
    kinds: dict[str, tuple[Kind, str | None]] = {}
    looks: dict[str, Look] = {}
    for name, marginal in marginals.items():
        looks[name], kinds[name] = _look(name, marginal, missing[name], header.n_rows)
    alone = {name: find_role(look, words) for name, look in looks.items()}
    findings = in_context(looks, alone, found, words)
    guesses = tuple(
        _guess(looks[name], findings[name], _with_pivot(kinds[name], year), marginals[name], missing[name])
        for name in header.names
    )
    quasi = [g.column.name for g in guesses if g.column.role is Role.QUASI_IDENTIFYING]
    unique = _unique(engine, table, {name: marginals[name] for name in quasi})
    person = _person(guesses, findings, looks)
    traces = fixes_of(looks, person)
    graph = ends_of(looks, {g.column.name: g.column.role for g in guesses}) if traces is None else None
    return Draft(header, guesses, tuple(found), unique, person, traces, graph)


def _unique(engine: Engine[T], table: T, marginals: Mapping[str, Marginal]) -> float | None:
    """Share of the rows that are alone on these columns together.

    A row that is alone on some of them is alone on all: where the most varied tell all rows apart, the others are not read.
    """
    n_rows = engine.header(table).n_rows
    if not marginals or not n_rows or n_rows * len(marginals) > MOST_CELLS:
        return None
    varied = sorted(marginals, key=lambda name: len(marginals[name].values), reverse=True)
    first = _alone(engine, table, {name: marginals[name] for name in varied[:_FIRST]})
    if first < n_rows and len(varied) > _FIRST:
        first = _alone(engine, table, marginals)
    return first / n_rows


def _alone(engine: Engine[T], table: T, marginals: Mapping[str, Marginal]) -> int:
    """Rows that are alone on these columns together."""
    asked = tuple(flat(name, marginal.values) for name, marginal in marginals.items())
    return int((engine.summarize(table, Tuples(asked)).rows == 1).sum())


def separation(counts: IntArray) -> float:
    """Share of pairs of rows that differ: 1 - Σ c(c-1) / (n(n-1)).

    Example:
        >>> separation(np.array([2, 2]))
        0.6666666666666667
    """
    n = int(counts.sum())
    return 0.0 if n < 2 else 1 - float((counts * (counts - 1)).sum()) / (n * (n - 1))


def _look(name: str, marginal: Marginal, missing: tuple[str, ...], n_rows: int) -> tuple[Look, tuple[Kind, str | None]]:
    """What is seen of one column, and how its cells read."""
    absent, counts = {None, *missing}, marginal.counts
    values = cast("list[str]", list(marginal.values))
    if not absent.isdisjoint(values):
        is_real = [value not in absent for value in values]
        values, counts = list(compress(values, is_real)), counts[is_real]
    kind = guess_kind(values, counts) if values else (Kind.TEXT, None)
    return Look(name, values, counts, n_rows, len(marginal.values), kind[0]), kind


def _with_pivot(kind: tuple[Kind, str | None], year: int | None) -> tuple[str | None, int | None]:
    """The format of a date, and the latest year that two digits of it can mean."""
    form = kind[1]
    return form, year if form is not None and "%y" in form else None


def _guess(
    look: Look, finding: Finding, form: tuple[str | None, int | None], marginal: Marginal, missing: tuple[str, ...]
) -> Guess:
    column = Column(look.name, finding.role, look.kind, format=form[0], pivot=form[1])
    if finding.role is Role.QUASI_IDENTIFYING and look.values:
        column = replace(column, hierarchy=propose(column, list(look.values), np.asarray(look.counts)))
    n_distinct, moved = len(marginal.values), 0 if column.pivot is None else _moved(column, look.values)
    exposed = n_distinct / max(look.n_rows, 1), separation(marginal.counts)
    return Guess(column, finding.reason, n_distinct, *exposed, missing, moved)


def _moved(column: Column, values: Sequence[str]) -> int:
    """Dates that the pivot brings back from the future."""
    return int((positions(column, values) != positions(replace(column, pivot=None), values)).sum())


def _person(guesses: Sequence[Guess], findings: Mapping[str, Finding], looks: Mapping[str, Look]) -> str | None:
    """The column that says whose a row is: of the identifiers that every row has and that repeat, the most varied.

    Free text names nobody, and a row without a name cannot be counted for a person.
    """
    named = [
        (g, looks[g.column.name])
        for g in guesses
        if findings[g.column.name].subject in {"identifier", "key"} and not g.reason.startswith(FREE_TEXT)
    ]
    repeats = [g for g, look in named if 1 < g.distinct < look.n_rows == int(np.sum(look.counts))]
    return max(repeats, key=lambda g: g.distinct).column.name if repeats else None
