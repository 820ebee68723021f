"""Budgets and accounts of documents."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetTable:
    """A budget: `epsilon`, `epsilon` and `delta`, `rho`, or `order` and `epsilon`.

    Args:
        epsilon: in nats.
        delta: of approximate differential privacy.
        rho: of concentrated differential privacy.
        order: of Rényi differential privacy.
    """

    epsilon: Fraction | None = None
    delta: Fraction | None = None
    rho: Fraction | None = None
    order: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountTable:
    """Who pays for differential privacy.

    Args:
        ledger: URL of the ledger.
        dataset: name of the data set in it.
        analyst: who asks.
        request: name of this release: charged once, released once.
        budget: of the data set.
        analyst_budget: of the analyst; absent: the same.
    """

    budget: BudgetTable
    ledger: str
    dataset: str
    analyst: str
    request: str
    analyst_budget: BudgetTable | None = None
