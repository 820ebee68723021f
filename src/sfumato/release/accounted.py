"""Releases that cost privacy budget: charged before the table is read, answered once for each request.

A request is a name in the ledger. Charging it again costs nothing; so a run that crashed is run again at no price. But
one price buys one release: a request whose release was written is not run again, since a second draw would tell more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.account.event import to_data
from sfumato.document.account import budget_of
from sfumato.document.header import PLAN, in_old_words
from sfumato.document.loading import under
from sfumato.document.result.release import Paid
from sfumato.errors import LedgerError, PlanError
from sfumato.release.plan import AccountChoice
from sfumato.table.source import FileSink, located_url

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.account.event import Event
    from sfumato.document.account import AccountTable
    from sfumato.engine.base import Receipt
    from sfumato.noise.bits import Bits
    from sfumato.release.plan import Plan
    from sfumato.table.unit import Unit


def account_from(said: AccountTable, folder: Path) -> AccountChoice:
    """Who pays.

    Args:
        said: [account].
        folder: what the path of a ledger is relative to.

    Raises:
        PlanError: a budget is none.
    """
    with under("account", "budget"):
        budget = own = budget_of(said.budget, "[account.budget]")
    if said.analyst_budget is not None:
        with under("account", "analyst_budget"):
            own = budget_of(said.analyst_budget, "[account.analyst_budget]")
    return AccountChoice(located_url(folder, said.ledger), said.dataset, said.analyst, said.request, budget, own)


def charge(plan: Plan, event: Event | None, unit: Unit) -> Paid | None:
    """Charge a plan's price to its ledger, durably.

    Args:
        plan: what is asked.
        event: its price; None: it costs nothing.
        unit: whom the price is for.

    Returns:
        What was charged; None where the plan names no ledger.

    Raises:
        BudgetExceeded: too little is left; nothing was charged and nothing was read.
        LedgerError: the request was released before or names another plan, or the ledger cannot be used.
        PlanError: an account for a plan that costs nothing, or a release that could not be told from an earlier one.
    """
    account = plan.account
    if account is None:
        return None
    if event is None:
        raise PlanError(
            "Only a release under differential privacy is charged; no promise of this plan is.", "remove [account]."
        ).below("account")
    _check_place(plan)
    return charge_to(account, event, unit, question=_meaning(plan), note=f"a table by {plan.method.name}")


def charge_to(account: AccountChoice, event: Event, unit: Unit, *, question: str, note: str) -> Paid:
    """Charge a price to an account, durably, for a request that was not released before.

    Args:
        account: who pays.
        event: the price.
        unit: whom it protects.
        question: digest of all that is released.
        note: a line for readers of the statement, public.

    Raises:
        BudgetExceeded: too little is left; nothing was charged.
        LedgerError: the request was released before or means something else, or the ledger cannot be used.
    """
    from sfumato.account.ledger.ledger import Ledger

    with Ledger.open(account.ledger, password=account.password) as ledger:
        ledger.open_dataset(account.dataset, unit, account.budget)
        ledger.open_analyst(account.dataset, account.analyst, account.analyst_budget)
        receipt = ledger.charge(
            account.dataset, account.analyst, account.request, event, question=question, note=note
        )  # fmt: skip
        if ledger.answer(account.request) is not None:
            raise LedgerError(
                "A request buys one release; this one was released before.",
                "use that release (if its run was stopped in the last moment, it is in a folder `.sfumato-*.paid` beside "
                "its place), or give the new one a `request` of its own, and pay for it.",
            )
        left = tuple(str(part) for part in receipt.left)
    return Paid(
        dataset=account.dataset, analyst=account.analyst, request=account.request, cost=to_data(event), left=left
    )


def settle(plan: Plan, receipt: Receipt, *, bits: Bits) -> None:
    """Note in the ledger that the release of a request was written.

    Args:
        plan: what was carried out.
        receipt: of the release.
        bits: chance, for a number that tells this run from another one of the same request.

    Raises:
        LedgerError: another run of the same request was faster; its release is the one that was paid.
    """
    account = plan.account
    if account is None:
        return
    text = f"{receipt.kind} of SHA-256 {receipt.sha256}" if receipt.sha256 else f"a table as {receipt.kind}"
    settle_with(account, text, bits=bits)


def settle_with(account: AccountChoice, what: str, *, bits: Bits) -> None:
    """Note in the ledger that a request was released.

    Args:
        account: who paid.
        what: was released, in public words.
        bits: chance, for a number that tells this run from another one of the same request.

    Raises:
        LedgerError: another run of the same request was faster; its release is the one that was paid.
    """
    from sfumato.account.ledger.ledger import Ledger

    text = f"{what}, by run {int(bits.words(1)[0]):016x}"
    with Ledger.open(account.ledger, create=False, password=account.password) as ledger:
        if ledger.store_answer(account.request, text) != text:
            raise LedgerError(
                "A request buys one release; another run of this one was faster.",
                "use the release of that run; this one left no file.",
            )


def _meaning(plan: Plan) -> str:
    """The digest of what is released: all that the plan says, but for who pays and where it goes."""
    from sfumato.release.answer.query import digest_of
    from sfumato.release.record import plain

    document = in_old_words(plan.document, PLAN)
    said = {key: value for key, value in document.items() if key not in {"account", "output"}}
    return digest_of(plain(said))


def _check_place(plan: Plan) -> None:
    """A file that stands where the release goes may be the release of an interrupted run."""
    sink = plan.output.sink
    if isinstance(sink, FileSink) and sink.path.exists():
        raise PlanError(
            "A charged release must not overwrite {path!r}: it may be the release of this very request.",
            "move it away, or choose another [output] `path`; run again costs nothing for the same `request`.",
            path=sink.path.name,
        ).below("output", "path")
