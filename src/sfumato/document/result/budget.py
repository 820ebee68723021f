"""What `sfumato budget` tells: what was spent of a data set, on which questions, and what is left.

All numbers are exact and stand as texts "a/b".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.values import Table

from dataclasses import field
from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.document.result.keys import OMITTED, omitted_with
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What may be spent.

    Args:
        measure: pure, approx, zcdp or renyi.
        limit: epsilon; epsilon and delta; rho; or epsilon at the order.
        order: of a Rényi budget; null: of another measure.
    """

    measure: str
    limit: tuple[str, ...]
    order: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountTold:
    """One account.

    Args:
        name: of the data set or of the analyst.
        budget: the limit in force.
        spent: by all charges so far, in the measure of the budget.
        left: of each number.
    """

    name: str
    budget: Limit
    spent: tuple[str, ...]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeTold:
    """Which persons a charge can concern.

    Args:
        column: of the keys.
        keys: of these persons.
    """

    column: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeTold:
    """One answer was paid for.

    Args:
        kind: charge.
        dataset: which data set.
        analyst: who asked.
        request: name of the question.
        event: what the mechanism does to privacy, as the ledger keeps it.
        scope: which persons it can concern; null: all.
        costs: in the measures of the data set's and of the analyst's budget.
        left: of both budgets after this charge.
        note: a line for readers.
        at: when; empty: no clock.
        sequence: number in the ledger.
        words: the event in words.
        answered: whether the answer is stored; if not, it can be finished at no cost.
        version: public name of the version of the data that was read; null: none was given.
        question: digest of all that the question means; it and the version are absent of charges by version 0.1.0.
    """

    kind: str
    dataset: str
    analyst: str
    request: str
    event: Table
    scope: ScopeTold | None
    costs: tuple[tuple[str, ...], ...]
    left: tuple[tuple[str, ...], ...]
    note: str
    at: str
    sequence: int
    words: str
    answered: bool
    version: str | None = field(default=None, metadata=omitted_with("question"))
    question: str | None = field(default=None, metadata=OMITTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTold:
    """Another limit from here on.

    Args:
        kind: budget.
        dataset: which data set.
        analyst: whose limit; null: that of the data set.
        budget: the new limit.
        reason: why.
        at: when; empty: no clock.
    """

    kind: str
    dataset: str
    analyst: str | None
    budget: Limit
    reason: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredTold:
    """In which columns no person ever changes key, from here on.

    Args:
        kind: immutable.
        dataset: which data set.
        columns: their names.
        reason: why.
        at: when; empty: no clock.
    """

    kind: str
    dataset: str
    columns: tuple[str, ...]
    reason: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingTold:
    """What one accountant says of all charges together.

    Args:
        accountant: its name.
        epsilon: at the asked delta, rounded up; the text `None` where it cannot count them.
        note: how it counts, or why it cannot.
    """

    accountant: str
    epsilon: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetResult(Document):
    """What was spent of a data set's budget, and what is left.

    Args:
        dataset: its account.
        unit: who is protected against what, in words.
        analysts: their accounts, in the order of opening.
        charges: all charges, in order.
        changes: all changes of budgets, in order.
        immutable: columns in which no person ever changes key.
        declared: all changes of them, in order.
        head: where the ledger stands.
        readings: what each accountant says; empty: not asked.
        at_delta: at which delta they say it; null: not asked.
    """

    tag: ClassVar = ("format", "sfumato.budget/1")
    dataset: AccountTold
    unit: str
    analysts: tuple[AccountTold, ...]
    charges: tuple[ChargeTold, ...]
    changes: tuple[ChangeTold, ...]
    immutable: tuple[str, ...]
    declared: tuple[DeclaredTold, ...]
    head: str
    readings: tuple[ReadingTold, ...]
    at_delta: str | None
