"""Entries of the ledger, of six kinds, as data. None of them holds a cell of a private table."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from sfumato.account import event as events
from sfumato.account.budget import Budget, Measure
from sfumato.account.ledger.account import Asked, Scope
from sfumato.account.ledger.store import INDEXED, MARK
from sfumato.errors import LedgerError, ParameterError
from sfumato.frozen import dataclass
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.account.budget import Cost
    from sfumato.account.event import Event
    from sfumato.table.values import Table


@dataclass(frozen=True, slots=True)
class DatasetOpened:
    """A data set, whom it protects, what all analysts together may spend, and what never changes of a person.

    Args:
        dataset: its name.
        unit: whom it protects.
        budget: of all analysts together.
        at: when, if the caller has a clock.
        immutable: columns in which no person ever changes key, sorted.
    """

    dataset: str
    unit: Unit
    budget: Budget
    at: str
    immutable: tuple[str, ...] = ()

    def data(self) -> Table:
        """As plain data."""
        return {"kind": "dataset", "dataset": self.dataset, "unit": unit_data(self.unit), "budget": budget_data(self.budget),
                "immutable": list(self.immutable), "at": self.at}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnalystOpened:
    """What one analyst may spend of one data set."""

    dataset: str
    analyst: str
    budget: Budget
    at: str

    def data(self) -> Table:
        """As plain data."""
        return {"kind": "analyst", "dataset": self.dataset, "analyst": self.analyst,
                "budget": budget_data(self.budget), "at": self.at}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BudgetChanged:
    """Another limit from here on, and why; analyst None: that of the data set."""

    dataset: str
    analyst: str | None
    budget: Budget
    reason: str
    at: str

    def data(self) -> Table:
        """As plain data."""
        return {"kind": "budget", "dataset": self.dataset, "analyst": self.analyst,
                "budget": budget_data(self.budget), "reason": self.reason, "at": self.at}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImmutableDeclared:
    """In which columns no person ever changes key, from here on and for all charges so far, and why."""

    dataset: str
    columns: tuple[str, ...]
    reason: str
    at: str

    def data(self) -> Table:
        """As plain data."""
        return {"kind": "immutable", "dataset": self.dataset, "columns": list(self.columns), "reason": self.reason,
                "at": self.at}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Charged:
    """One answer was paid for.

    Args:
        dataset: which data set.
        analyst: who asked.
        request: name of the question; charged at most once in a ledger.
        event: what the mechanism does to privacy.
        scope: which persons it can concern; None: all.
        costs: in the measures of the data set's and of the analyst's budget.
        left: of both budgets after this charge.
        note: a line for readers.
        at: when, if the caller has a clock.
        version: public name of the version of the data that was read; None: none was given.
        question: digest of all that the question means, "" if none was given; None: written by version 0.1.0, whose
            requests say too little of what was asked.
    """

    dataset: str
    analyst: str
    request: str
    event: Event
    scope: Scope | None
    costs: tuple[Cost, Cost]
    left: tuple[Cost, Cost]
    note: str
    at: str
    version: str | None = None
    question: str | None = ""

    @property
    def asked(self) -> Asked:
        """How it is counted: scopes of version 0.1.0 are of versions of the data that nobody named."""
        return Asked() if self.question is None else Asked(self.scope, self.version)

    def data(self) -> Table:
        """As plain data."""
        meaning = {} if self.question is None else {"version": self.version, "question": self.question}
        scope = None if self.scope is None else {"column": self.scope.column, "keys": list(self.scope.keys)}
        return {"kind": "charge", "dataset": self.dataset, "analyst": self.analyst, "request": self.request,
                "event": events.to_data(self.event), "scope": scope, "costs": [numbers(c) for c in self.costs],
                "left": [numbers(c) for c in self.left], "note": self.note, "at": self.at, **meaning}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answered:
    """The one released answer to a request that was charged."""

    request: str
    text: str

    def data(self) -> Table:
        """As plain data."""
        return {"kind": "answer", "request": self.request, "text": self.text}


Entry: TypeAlias = DatasetOpened | AnalystOpened | BudgetChanged | ImmutableDeclared | Charged | Answered


def entry_from(body: str) -> Entry:
    """The entry of a text.

    Raises:
        LedgerError: no entry that this version knows. Remedy: read it with the version that wrote it.
    """
    try:
        return _read(json.loads(body))
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        raise LedgerError(
            "Every entry of the ledger must be one that this version knows; one is not.",
            "read this ledger with the version of Sfumato that wrote it.",
        ) from error


def named_as(request: str) -> str:
    """How the text of an entry goes on at `MARK` that names this request, as far as it is in the index.

    Example:
        >>> named_as("mean age")
        '"request":"mean age"'
    """
    return f"{MARK}{json.dumps(request)[1:]}"[:INDEXED]


def numbers(cost: Cost) -> list[str]:
    """Exact fractions as texts "a/b"."""
    return [str(part) for part in cost]


def unit_data(unit: Unit) -> Table:
    """A privacy unit as plain data."""
    return {"neighbors": unit.neighbors.value, "person": unit.person, "rows": unit.rows, "keys": unit.keys}


def unit_from(data: Mapping[str, Any]) -> Unit:
    """A privacy unit from plain data."""
    return Unit(**{**data, "neighbors": Neighbors(data["neighbors"])})


def budget_data(budget: Budget) -> Table:
    """A budget as plain data."""
    order = None if budget.order is None else str(budget.order)
    return {"measure": budget.measure.value, "limit": numbers(budget.limit), "order": order}


def name_of(what: str, given: str) -> str:
    """A name of a data set, an analyst or a request: what was given, if it is one.

    Raises:
        ParameterError: no printable text of 1 to 200 characters. Remedy: give a short name.
    """
    if not isinstance(given, str) or not 1 <= len(given) <= 200 or not given.isprintable():
        raise ParameterError(
            "The name of {what} must be a printable text of 1 to 200 characters.", "give a short name.", what=what
        )
    return given


def text_of(what: str, given: str) -> str:
    """A free text: what was given, if it can be written.

    Raises:
        ParameterError: no text, or one with half a character. Remedy: give a text.
    """
    try:
        given.encode()
    except (AttributeError, UnicodeEncodeError) as error:
        raise ParameterError("`{what}` must be a text of whole characters.", "give a text.", what=what) from error
    return given


def _read(data: dict[str, Any]) -> Entry:
    """The entry, or any of Python's own errors."""
    kind = data.pop("kind")
    if "budget" in data:
        data["budget"] = budget_from(data["budget"])
    if kind == "dataset":
        unit, immutable = unit_from(data.pop("unit")), tuple(data.pop("immutable", ()))
        return DatasetOpened(unit=unit, immutable=immutable, **data)
    if kind == "immutable":
        return ImmutableDeclared(columns=tuple(data.pop("columns")), **data)
    if kind == "charge":
        return _charged(data)
    kinds: dict[str, type[AnalystOpened | BudgetChanged | Answered]] = {
        "analyst": AnalystOpened, "budget": BudgetChanged, "answer": Answered,
    }  # fmt: skip
    return kinds[kind](**data)


def _charged(data: dict[str, Any]) -> Charged:
    """A charge from plain data."""
    scope = data.pop("scope")
    first, second = (cost_from(c) for c in data.pop("costs"))
    left, right = (cost_from(c) for c in data.pop("left"))
    is_old = "question" not in data
    return Charged(
        version=None if is_old else data.pop("version"),
        question=None if is_old else _text(data.pop("question")),
        event=events.from_data(data.pop("event")),
        scope=None if scope is None else Scope(scope["column"], tuple(scope["keys"])),
        costs=(first, second),
        left=(left, right),
        **data,
    )


def budget_from(data: Mapping[str, Any]) -> Budget:
    """A budget from plain data."""
    order = None if data["order"] is None else Fraction(data["order"])
    return Budget(Measure(data["measure"]), cost_from(data["limit"]), order)


def cost_from(texts: list[str]) -> Cost:
    """Exact fractions from texts "a/b"."""
    return tuple(Fraction(text) for text in texts)


def _text(given: object) -> str:
    """A text, and nothing else."""
    if not isinstance(given, str):
        raise TypeError(given)
    return given
