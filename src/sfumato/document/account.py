"""Budgets and accounts of documents."""

from __future__ import annotations

from fractions import Fraction

from sfumato.account.budget import Budget
from sfumato.errors import PlanError
from sfumato.frozen import dataclass


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


def budget_of(said: BudgetTable, where: str) -> Budget:
    """The budget that a table describes.

    Args:
        said: the table.
        where: what it is called in messages.

    Raises:
        PlanError: other keys together.
    """
    given = {name: number for name in said.__slots__ if (number := getattr(said, name)) is not None}
    match sorted(given):
        case ["epsilon"]:
            return Budget.pure(given["epsilon"])
        case ["delta", "epsilon"]:
            return Budget.approx(given["epsilon"], given["delta"])
        case ["rho"]:
            return Budget.zcdp(given["rho"])
        case ["epsilon", "order"]:
            return Budget.renyi(given["order"], given["epsilon"])
    raise PlanError(
        "{where} must hold `epsilon`, `epsilon` and `delta`, `rho`, or `order` and `epsilon`; got {keys}.",
        "keep one of these.",
        where=where,
        keys=sorted(given),
    )
