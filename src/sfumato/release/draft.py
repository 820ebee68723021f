"""What could a first plan for this table be? Guesses with their reasons, for a person to correct."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.release.recoded import MOST_CELLS, Recoding, flat, recodings
from sfumato.summary.ask import Ask
from sfumato.table.guess import guess_kind, likely_missing, looks_identifying
from sfumato.table.hierarchy.propose import propose
from sfumato.table.schema import Column, Kind, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Engine, Header, Marginal
    from sfumato.table.schema import HierarchySpec
    from sfumato.types import IntArray

T = TypeVar("T")

_SENSITIVE_WORDS = (
    "income", "salary", "wage", "earning", "revenu", "salaire", "diagnos", "disease", "illness", "maladie", "hiv",
    "drug", "religio", "relig", "politic", "vote", "sexual", "orient", "crime", "arrest", "charges", "outcome",
    "affairs", "conso", "debt", "medication", "treatment", "mortality", "severity", "stroke", "cancer", "test_result",
)  # fmt: skip
"""Parts of column names that usually mean something an intruder must not learn."""
_RARE = 1e-4
"""A column in which fewer pairs of rows than this differ separates nobody."""


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
    """

    column: Column
    reason: str
    distinct: int
    distinction: float
    separation: float
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A first plan: one guess per column, columns that repeat each other, and how exposed the rows are.

    Args:
        header: what the table is.
        guesses: one per column, in table order.
        recodings: columns that determine others.
        unique: share of the rows that are alone on the proposed quasi-identifiers; None: not counted,
            because the table is too large to look at all of them together.
    """

    header: Header
    guesses: tuple[Guess, ...]
    recodings: tuple[Recoding, ...]
    unique: float | None


def draft(engine: Engine[T], table: T) -> Draft:
    """Look at every column of a table and guess what it is.

    Args:
        engine: where data live.
        table: its handle of the table.
    """
    header = engine.header(table)
    marginals = {name: engine.marginal(table, name) for name in header.names}
    found = recodings(engine, table, {name: marginal.values for name, marginal in marginals.items()})
    guesses = tuple(_guess(name, marginals[name], header.n_rows) for name in header.names)
    guesses = _without_repeats(guesses, found)
    quasi = [g.column.name for g in guesses if g.column.role is Role.QUASI_IDENTIFYING]
    return Draft(header, guesses, tuple(found), _unique(engine, table, {name: marginals[name] for name in quasi}))


def _unique(engine: Engine[T], table: T, marginals: Mapping[str, Marginal]) -> float | None:
    """Share of the rows that are alone on these columns together."""
    n_rows = engine.header(table).n_rows
    if not marginals or not n_rows or n_rows * len(marginals) > MOST_CELLS:
        return None
    asked = tuple(flat(name, marginal.values) for name, marginal in marginals.items())
    return int((engine.summarize(table, Ask(asked)).rows == 1).sum()) / n_rows


def _without_repeats(guesses: tuple[Guess, ...], found: Sequence[Recoding]) -> tuple[Guess, ...]:
    """The second of two quasi-identifiers that say the same is left out of the release."""
    known = {guess.column.name for guess in guesses if guess.column.role is Role.QUASI_IDENTIFYING}
    repeats = {pair.other: pair.column for pair in found if pair.both_ways and {pair.column, pair.other} <= known}
    out = []
    for guess in guesses:
        other = repeats.get(guess.column.name)
        if other is None or other in repeats:
            out.append(guess)
            continue
        column = replace(guess.column, role=Role.IDENTIFYING, hierarchy=None)
        out.append(
            replace(guess, column=column, reason=f"it says the same as {other!r}: publishing both undoes its recoding")
        )
    return tuple(out)


def separation(counts: IntArray) -> float:
    """Share of pairs of rows that differ: 1 - Σ c(c-1) / (n(n-1)).

    Example:
        >>> separation(np.array([2, 2]))
        0.6666666666666667
    """
    n = int(counts.sum())
    return 0.0 if n < 2 else 1 - float((counts * (counts - 1)).sum()) / (n * (n - 1))


def _guess(name: str, marginal: Marginal, n_rows: int) -> Guess:
    """One column."""
    missing = likely_missing(marginal.values, marginal.counts)
    real = [i for i, value in enumerate(marginal.values) if value is not None and value not in missing]
    values = [str(marginal.values[i]) for i in real]
    counts = marginal.counts[real]
    kind, form = guess_kind(values, counts) if values else (Kind.TEXT, None)
    apart = separation(marginal.counts)
    role, reason = _role(name, values, counts, n_rows, kind, apart)
    column = Column(name, role, kind, _hierarchy(name, role, kind, form, values, counts), format=form)
    return Guess(column, reason, len(marginal.values), len(marginal.values) / max(n_rows, 1), apart, missing)


def _role(
    name: str, values: Sequence[str], counts: IntArray, n_rows: int, kind: Kind, apart: float
) -> tuple[Role, str]:
    """The role on the safe side: what is neither a name nor a secret is taken as known to others."""
    identifying = looks_identifying(name, values, counts, n_rows)
    if identifying is not None:
        return Role.IDENTIFYING, identifying
    if any(word in name.lower() for word in _SENSITIVE_WORDS) or name.lower().endswith("inc"):
        return Role.SENSITIVE, "its name suggests something private"
    if apart < _RARE:
        return Role.INSENSITIVE, "nearly all rows have the same value"
    if kind is Kind.DECIMAL and len(values) > n_rows / 2:
        return Role.IDENTIFYING, "measured so finely that it is nearly unique; round it if it must be published"
    return Role.QUASI_IDENTIFYING, "others may know it; it is neither a name nor a secret by its looks"


def _hierarchy(
    name: str, role: Role, kind: Kind, form: str | None, values: Sequence[str], counts: IntArray
) -> HierarchySpec | None:
    """A proposed hierarchy for a quasi-identifier."""
    if role is not Role.QUASI_IDENTIFYING or not values:
        return None
    return propose(Column(name, role, kind, format=form), list(values), np.asarray(counts))
