"""The terms of both sums of a joint publication, which every party makes from the same words."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.secure_sum.noise import SharedNoise
from sfumato.mechanism.secure_sum.terms import MOST_CELLS, MOST_HOLDERS
from sfumato.mechanism.secure_sum.terms import Terms as SumTerms
from sfumato.release.method.safepub import METHOD
from sfumato.together.sums.coarse import Coarse, coarse_of
from sfumato.together.sums.declared import Cells, asked_of, cells_of, checked
from sfumato.together.table import Coded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from sfumato.document.together import SumsTable
    from sfumato.together.table import Held
    from sfumato.together.terms import Terms
    from sfumato.types import IntArray

TUPLES, VALUES = 1, 2
"""The first sum is of tuples, the second of carried values by class."""


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What is added.

    Args:
        terms: of the publication.
        said: what they say of sums.
        known: cells of the quasi-identifiers and, where persons ask for their own k, of what they ask for.
        carried: cells of the columns that are published as they are.
        valued: cells of each sensitive column that steers the construction.
        coarse: the levels at which quasi-identifiers are counted; None: values as they are.
    """

    terms: Terms
    said: SumsTable
    known: Cells
    carried: Cells
    valued: tuple[Cells, ...] = ()
    coarse: Coarse | None = None

    @property
    def is_histogram(self) -> bool:
        """Whether the first sum is what is published."""
        return self.said.publish == "counts"

    @property
    def n_counted(self) -> int:
        """Numbers in the first sum: rows of each tuple or, for each column that steers, of each tuple with each value."""
        return self.known.n * (sum(one.n for one in self.valued) or 1)

    def seen_of(self, held: Held) -> list[Coded]:
        """The columns of `known` of a hospital."""
        known = [*held.known] if self.coarse is None else self.coarse.recoded(held.known)
        known += held.carried if self.is_histogram else ()
        if self.terms.plan.personal_k is None:
            return known
        asks, of = np.unique(held.asked, return_inverse=True)
        return [*known, Coded(tuple(map(str, asks.tolist())), of)]

    def counts_of(self, held: Held) -> IntArray:
        """(n_counted,) int64: what a hospital adds in the first sum.

        Raises:
            SchemaError: it holds a value that is not declared.
        """
        cell = self.known.coded(self.seen_of(held), held.n_rows)
        if not self.valued:
            return np.bincount(cell, minlength=self.known.n)
        parts = [
            np.bincount(cell * one.n + value, minlength=self.known.n * one.n)
            for one, value in zip(self.valued, self._values_of(held), strict=True)
        ]
        return np.concatenate(parts)

    def _values_of(self, held: Held) -> list[IntArray]:
        """For each column that steers the place of each row's value."""
        names = [column.name for column in self.terms.carried]
        return [one.coded([held.carried[names.index(one.names[0])]], held.n_rows) for one in self.valued]

    def tables(self, counts: IntArray) -> list[IntArray]:
        """For each column that steers (known.n, values) int64, from the first sum."""
        ends = np.cumsum([self.known.n * one.n for one in self.valued])[:-1]
        return [part.reshape(-1, one.n) for part, one in zip(np.split(counts, ends), self.valued, strict=True)]

    @property
    def n_totals(self) -> int:
        """Numbers that tell how often each value of each column that steers stands in the whole table."""
        return sum(one.n for one in self.valued)

    def own_totals(self, held: Held, met: int) -> IntArray:
        """(n_totals,) int64: those of a hospital, without rows whose persons ask for more than `met`."""
        inside = held.asked <= met
        parts = [
            np.bincount(value[inside], minlength=one.n)
            for one, value in zip(self.valued, self._values_of(held), strict=True)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def totals_of(self, totals: IntArray) -> dict[str, IntArray]:
        """By column what was counted so."""
        ends = np.cumsum([one.n for one in self.valued])[:-1]
        parts = np.split(totals, ends) if self.valued else []
        return {one.names[0]: part for one, part in zip(self.valued, parts, strict=True)}


def sums_of(terms: Terms) -> Sums:
    """What is added, by the terms of a publication.

    Raises:
        PlanError: the terms say nothing of sums, or what cannot be carried out.
    """
    said = terms.said.sums
    if said is None or terms.said.kind != "hospitals" or terms.said.holders > MOST_HOLDERS:
        raise PlanError(
            "Sums are for at most {most} hospitals, whose terms say [sums].",
            "say it, or publish with fewer.",
            most=MOST_HOLDERS,
        ).below("sums")
    if said.publish == "counts":
        every = (*terms.plan.schema.quasi_identifiers, *terms.carried)
        found = Sums(terms, replace(said, levels={}), cells_of(every, said), Cells((), ()))
        _check_parties(found)
        return found
    _check_noise(terms, said)
    coarse = _coarse(terms, said)
    known = _known(terms, said, coarse)
    found = Sums(terms, said, known, cells_of(terms.carried, said), _valued(terms, said), coarse)
    if found.n_counted > MOST_CELLS:
        raise PlanError(
            "Hospitals add at most {most:,} cells; declared tuples with values of {names} make {n:,}.",
            'declare coarser values, or judge values later: `values = "afterwards"`.',
            most=MOST_CELLS,
            names=[one.names[0] for one in found.valued] or list(found.known.names),
            n=found.n_counted,
        ).below("sums")
    _check_parties(found)
    return found


def _check_parties(found: Sums) -> None:
    """Refuse numbers that do not protect."""
    nobody = [hashlib.sha256(str(i).encode()).digest() for i in range(found.terms.said.holders)]
    first_terms(found, bytes(32), "", nobody)


def _check_noise(terms: Terms, said: SumsTable) -> None:
    """With noise nobody sees what would keep everybody's k, or values that are private too."""
    if said.epsilon is None:
        return
    if terms.sampling is not None:
        raise PlanError(
            "Rows are either sampled by each hospital or counted with noise; the terms say both.",
            "leave `epsilon` out of [sums]: the promise of the plan has its own.",
        ).below("sums", "epsilon")
    if terms.plan.personal_k is not None:
        raise PlanError(
            "What each person asks for cannot be kept where the publisher sees tuples with noise.",
            "leave the promise `personal-k` out of the plan, or `epsilon` out of [sums].",
        ).below("sums", "epsilon")
    if terms.steering:
        raise PlanError(
            "Promises about values can steer the construction only by exact counts; with `epsilon` there are none.",
            'say `values = "afterwards"`, or leave `epsilon` out of [sums].',
        ).below("values")


def _coarse(terms: Terms, said: SumsTable) -> Coarse | None:
    """The levels at which quasi-identifiers are counted: those of the terms or, where rows are sampled, of the method."""
    columns, method = terms.plan.schema.quasi_identifiers, terms.plan.method
    if terms.sampling is not None:
        if said.levels:
            raise PlanError("Where rows are sampled, [method] says the levels.", "leave `levels` out of [sums].").below(
                "sums", "levels"
            )
        return coarse_of(columns, said, METHOD.options_of(terms.plan).levels or {})
    if said.levels and method.name != "full-domain" and method.options.get("publish") != "nodes":
        raise PlanError(
            "Of values that are counted at a level nobody knows the ranges, sets or lower levels that {method!r} would write.",
            'choose the method "full-domain", say `publish = "nodes"` in [method] ("mondrian", "local-recoding"), or leave '
            "`levels` out of [sums].",
            method=method.name,
        ).below("sums", "levels")
    return coarse_of(columns, said, said.levels) if said.levels else None


def _known(terms: Terms, said: SumsTable, coarse: Coarse | None) -> Cells:
    """Cells of the quasi-identifiers, and of what persons ask for."""
    columns = terms.plan.schema.quasi_identifiers
    cells = cells_of(columns, said) if coarse is None else checked(coarse.cells)
    if terms.plan.personal_k is None:
        return cells
    asked = asked_of(terms.plan.schema[terms.plan.personal_k], said)
    return Cells((*cells.names, *asked.names), (*cells.values, *asked.values))


def _valued(terms: Terms, said: SumsTable) -> tuple[Cells, ...]:
    """Cells of each sensitive column that steers."""
    names = dict.fromkeys(name for one in terms.steering for name in one.columns)
    return tuple(cells_of([terms.plan.schema[name]], said) for name in names)


def first_terms(sums: Sums, publisher: bytes, after: str, holders: Sequence[bytes]) -> SumTerms:
    """The terms of the sum of tuples.

    Args:
        sums: what is added.
        publisher: its public key.
        after: digest of the message before it.
        holders: theirs, by name.
    """
    said = sums.said
    epsilon = said.epsilon
    noise = None if epsilon is None else SharedNoise(epsilon, 1, among=max(said.threshold - said.colluding, 1))
    return SumTerms(**_named(sums, TUPLES, publisher, after, holders), cells=sums.n_counted, noise=noise)


def second_terms(sums: Sums, publisher: bytes, after: str, holders: Sequence[bytes], classes: int) -> SumTerms:
    """The terms of the sum of carried values by class: nobody of the first sum may be missing.

    Raises:
        NoSolution: too many cells. Remedy: fewer classes, or carry fewer columns.
    """
    cells = max(classes, 1) * sums.carried.n
    if cells > MOST_CELLS:
        raise NoSolution(
            "Hospitals add at most {most:,} cells; {classes:,} classes with {values:,} combinations of carried values make "
            "more.",
            "carry fewer columns, or make classes larger.",
            most=MOST_CELLS,
            classes=classes,
            values=sums.carried.n,
        )
    return SumTerms(**_named(sums, VALUES, publisher, after, holders), cells=cells, added=len(holders))


def _named(sums: Sums, number: int, publisher: bytes, after: str, holders: Sequence[bytes]) -> dict[str, Any]:
    """What both have in common."""
    occasion = hashlib.sha256(f"sfumato.together/1 sum {number} after {after}".encode()).digest()
    return {
        "occasion": occasion,
        "about": bytes.fromhex(sums.terms.digest),
        "publisher": publisher,
        "holders": tuple(holders),
        "threshold": sums.said.threshold,
        "colluding": sums.said.colluding,
        "greatest": sums.said.most_rows,
    }
