"""Pseudonyms for a column of a plan: from a key, by period, or from an encrypted table."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.perturb.column_method import ColumnDecision
from sfumato.mechanism.pseudonym.canonical import canonical
from sfumato.mechanism.pseudonym.column import Means, frequency_risk, pseudonym_promise
from sfumato.mechanism.pseudonym.correspondence import Correspondence, unseal
from sfumato.mechanism.pseudonym.keyed import Form, Keyed
from sfumato.mechanism.pseudonym.period import Period, period_of
from sfumato.mechanism.pseudonym.space import bits_at_most, refuse_small
from sfumato.mechanism.pseudonym.token import LEAST, MOST, Unkeyed
from sfumato.recipe.steps import Assign, Rewrite
from sfumato.release.secrets import alone, replace_file, secret_of
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.document.perturb import Hash, Pseudonym
    from sfumato.mechanism.perturb.column_method import ColumnMethod, TupleMethod
    from sfumato.mechanism.secret import Secret
    from sfumato.noise.bits import Bits
    from sfumato.release.plan import PerturbChoice
    from sfumato.release.tools import Tools
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column
    from sfumato.types import IntArray

CHARACTERS = 26
"""Length of a pseudonym where none is given: 130 bits."""
_ALWAYS = ("key", "domain", "fold_case", "characters", "table", "date")
"""Keys that pseudonyms of every sort may have."""


@dataclass(frozen=True, slots=True)
class KeyedColumn:
    """Pseudonyms that a key gives to one column."""

    keyed: Keyed

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """A function of each cell; no chance is drawn."""
        del bits
        labels = attribute.hierarchy.labels[0]
        self.keyed.check(attribute.name, [label for label in labels if label is not None])
        risk = frequency_risk(labels, counts, fold_case=self.keyed.fold_case)
        step = Rewrite(attribute.name, self.keyed.names(""))
        return ColumnDecision(step, self.keyed.promise(attribute.name), (), risk)


@dataclass(frozen=True, slots=True)
class PeriodColumn:
    """Pseudonyms that change with the week, month or year of another column."""

    keyed: Keyed
    period: Period
    date: str

    @property
    def beside(self) -> tuple[str, ...]:
        """The column of the day."""
        return (self.date,)

    def decide_tuples(self, attributes: Sequence[Attribute], classes: Classes, *, bits: Bits) -> ColumnDecision:
        """The pseudonym of each name in each period that the table holds. Rows without a day share one period.

        Raises:
            ParameterError: the other column holds no days.
        """
        del bits
        names, days = attributes
        if days.column.kind is not Kind.DATE:
            raise ParameterError(
                "The period of a pseudonym is read from a column of days; {date!r} is {kind}.",
                'declare it with `kind = "date"` in [columns.{date}] of a plan, or with '
                '`dates = {{ {date} = "" }}` in the [[table]] of pseudonyms ("" for ISO 8601, else its format).',
                date=self.date,
                kind=days.column.kind.value,
            )
        labels = names.hierarchy.labels[0]
        self.keyed.check(names.name, [label for label in labels if label is not None])
        periods = [_period(days, code, self.period) for code in range(days.hierarchy.n_leaves)]
        published = self._published(labels, periods, classes)
        kept = tuple(days.hierarchy.labels[0][code] for code in classes.codes[:, 1].tolist())
        step = Assign((names, days), classes.codes, np.arange(classes.n_classes), (published, kept))
        risk = frequency_risk(published, classes.rows, fold_case=False)
        return ColumnDecision(step, self.keyed.promise(names.name), (), risk)

    def _published(
        self, labels: Sequence[str | None], periods: Sequence[str], classes: Classes
    ) -> tuple[str | None, ...]:
        """The pseudonym of each tuple; None where the name is missing."""
        by_period = np.array(periods, object)[classes.codes[:, 1]]
        out = np.full(classes.n_classes, None, object)
        present = np.array([label is not None for label in labels])[classes.codes[:, 0]]
        for period in sorted(set(periods)):
            here = np.flatnonzero((by_period == period) & present)
            cells = [str(labels[code]) for code in classes.codes[here, 0].tolist()]
            out[here] = self.keyed.names(period).texts(cells)
        return tuple(out.tolist())


@dataclass(frozen=True, slots=True)
class TableColumn:
    """Random pseudonyms, kept in an encrypted table that grows with every new name.

    Args:
        secret: the key of the table.
        path: where it is stored.
        domain: whose names they are.
        characters: length of a pseudonym.
        fold_case: whether upper and lower case are one name.
    """

    secret: Secret = field(repr=False)
    path: Path
    domain: str
    characters: int
    fold_case: bool

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """Draw a pseudonym for every new name, and store the table before anything is released.

        Raises:
            ParameterError: the table was made with another key, domain or rule for case.
        """
        labels = attribute.hierarchy.labels[0]
        names = [label for label in labels if label is not None]
        with alone(self.path):
            known = self._stored()
            table = known.with_names(names, self.characters, bits=bits)
            if len(table.entries) > len(known.entries):
                replace_file(self.path, table.seal(self.secret, bits=bits))
        means = Means("A table of random pseudonyms, stored under AES-256-GCM,", self.domain, "", "the table and its key",
                      "ENISA, Pseudonymisation techniques and best practices, 2019, section 5")  # fmt: skip
        risk = frequency_risk(labels, counts, fold_case=self.fold_case)
        return ColumnDecision(Rewrite(attribute.name, table), pseudonym_promise(attribute.name, means), (), risk)

    def _stored(self) -> Correspondence:
        """The table as it is; an empty one where there is none."""
        if not self.path.exists():
            return Correspondence(self.domain, {}, self.fold_case)
        found = unseal(self.path.read_bytes(), self.domain, self.secret)
        if found.fold_case is not self.fold_case:
            raise ParameterError(
                "The table {path!r} was made with fold_case = {lower}.",
                "give the same rule.",
                path=self.path.name,
                lower=str(found.fold_case).lower(),
            )
        return found


@dataclass(frozen=True, slots=True)
class HashedColumn:
    """SHA-256 without a key, for names that nobody can try out."""

    bits_declared: float
    fold_case: bool

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """A function of each cell, if names are long and random enough.

        Raises:
            ParameterError: fewer than 100 bits, as declared or at most by how names are written.
        """
        del bits
        labels = attribute.hierarchy.labels[0]
        names = [canonical(label, fold_case=self.fold_case) for label in labels if label is not None]
        refuse_small(attribute.name, min(self.bits_declared, bits_at_most(names)))
        means = Means("SHA-256 without a key", attribute.name, "", "a list of candidate names",
                      "ENISA, Pseudonymisation techniques and best practices, 2019, section 5")  # fmt: skip
        risk = frequency_risk(labels, counts, fold_case=self.fold_case)
        step = Rewrite(attribute.name, Unkeyed(self.fold_case))
        return ColumnDecision(step, pseudonym_promise(attribute.name, means), (), risk)


def pseudonym(column: Column, said: Pseudonym, choice: PerturbChoice, tools: Tools) -> ColumnMethod | TupleMethod:
    """`method = "pseudonym"`: its key, form, domain, period and table.

    Raises:
        PlanError, SourceError, ParameterError: an option, the place of the key or the key is wrong.
    """
    secret = secret_of(said.key, choice.where, choice.folder, tools.environment)
    domain = column.name if said.domain is None else said.domain
    characters = CHARACTERS if said.characters is None else said.characters
    period = None if said.date is None else Period(choice.needed("period", said.period, str))
    if said.table is not None:
        if period is not None or not LEAST <= characters <= MOST:
            raise PlanError(
                "`table` in {where} needs `characters` from {least} to {most} and no `date`.",
                "leave `date` and `period` out, or the table.",
                where=choice.where,
                least=LEAST,
                most=MOST,
            )
        choice.check_only(*_ALWAYS)
        return TableColumn(secret, choice.folder / said.table, domain, characters, said.fold_case)
    keyed = Keyed(
        secret, domain, Form(said.form), said.edition, period, said.fold_case, characters, said.alphabet, said.keep
    )
    keyed.names("")
    choice.check_only(*_ALWAYS, "form", "edition", "alphabet", "keep", *(() if period is None else ("period",)))
    return KeyedColumn(keyed) if period is None else PeriodColumn(keyed, period, str(said.date))


def hashed(column: Column, said: Hash, choice: PerturbChoice, tools: Tools) -> ColumnMethod:
    """`method = "hash"`: without a key, and so refused for nearly all names."""
    del column, choice, tools
    return HashedColumn(said.bits, said.fold_case)


def _period(days: Attribute, code: int, period: Period) -> str:
    """The period of one leaf of the day's column; a word of its own where the day is missing."""
    day = np.nan if days.positions is None else days.positions[code]
    return period_of(int(day), period) if np.isfinite(day) else "no day"
