"""Checkpoints: what the list adds up to after one of its entries, so that what stands before need not be read again.

A checkpoint is a copy of sums, beside the list and never in it: the list alone says what was spent. One is kept, in place
of the one before, in the transaction that adds an entry: 128 entries after the last, or more where the sums are long.
Entries after it are read on top, whoever wrote them.

It is sealed with the entry after which it stands. One that is not whole is not believed, and everything is read; one whose
entry is not in the list says that the list was cut or replaced, and is refused as such. What costs no reading is
counted again: each account must have left what its last charge wrote, and no column may have more than what is spent.
Only `verify` counts everything again, and compares each checkpoint with it.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.account.ledger.account import Account
from sfumato.account.ledger.chain import Checkpoint, canonical
from sfumato.account.ledger.entry import (
    Charged,
    budget_data,
    budget_from,
    entry_from,
    numbers,
    unit_data,
    unit_from,
)
from sfumato.account.ledger.state import LedgerState, stands
from sfumato.account.parallel import PairSums, PartSums
from sfumato.errors import LedgerError, SfumatoError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.account.ledger.account import Group
    from sfumato.account.ledger.state import Key
    from sfumato.account.ledger.store import Pages
    from sfumato.table.values import Item, Table

FORMAT = "sfumato.checkpoint/1"
"""Version of the sums; those of another version are neither believed nor judged."""


def checkpoint_of(state: LedgerState) -> Checkpoint:
    """The checkpoint of a state.

    Example:
        >>> checkpoint_of(LedgerState()).state
        '{"accounts":[],"format":"sfumato.checkpoint/1","renewed":false}'
    """
    accounts = [_account_data(key, account) for key, account in state.accounts.items()]
    return Checkpoint.sealed(
        state.head, canonical({"format": FORMAT, "renewed": state.is_renewed, "accounts": accounts})
    )


def resumed(pages: Pages, least: int = 1) -> LedgerState:
    """The state after the newest checkpoint; an empty one if there is none that can be believed.

    Args:
        pages: the list and its checkpoint.
        least: a checkpoint after fewer entries does not help.

    Raises:
        LedgerError: the entry after which it stands is not in the list. Remedy: restore a backup that verifies.
    """
    newest = pages.checkpoint()
    state = None if newest is None or newest.head.entries < least else state_from(newest)
    if state is None:
        return LedgerState()
    link = pages.page(state.head.entries)
    if link is None or link.digest != state.head.digest or not stands(link, pages):
        raise LedgerError(
            "The list of the ledger must go through entry {entries}, after which a checkpoint stands; it was cut, replaced "
            "or rewritten.",
            "restore the newest backup that verifies; charges after it are lost, so open no more of its budget.",
            entries=state.head.entries,
        )
    return state if _agrees(state, pages) else LedgerState()


def state_from(checkpoint: Checkpoint) -> LedgerState | None:
    """The state that a checkpoint says; None if it is not whole, or of another version."""
    if not checkpoint.is_sealed:
        return None
    try:
        data = json.loads(checkpoint.state)
        if data["format"] != FORMAT:
            return None
        accounts = dict(map(_account_from, data["accounts"]))
        is_renewed = bool(data["renewed"])
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError, RecursionError, SfumatoError):
        return None
    return LedgerState(
        checkpoint.head,
        accounts,
        is_renewed=is_renewed,
        base=checkpoint.head.entries,
        kept=checkpoint.head.entries,
        length=len(checkpoint.state),
    )


def is_true(kept: Checkpoint, again: Checkpoint | None) -> bool:
    """Whether a checkpoint is the one that the list gives at its place; of one of another version nothing is said.

    Args:
        kept: as it lies on disk.
        again: made of the list up to its place; None: the list ends before.
    """
    if kept == again:
        return True
    try:
        return kept.is_sealed and json.loads(kept.state)["format"] != FORMAT
    except (KeyError, TypeError, ValueError, RecursionError):
        return False


def lies(entries: int) -> LedgerError:
    """What is raised for a checkpoint that is not what the list adds up to."""
    return LedgerError(
        "The checkpoint after entry {entries} of the ledger must be what the list up to there adds up to; it is not. The "
        "list itself is whole.",
        "find out who changed it, and doubt the charges since; then drop the table `sfumato_ledger_checkpoint`: the list "
        "alone says what was spent, and it is made anew.",
        entries=entries,
    )


def _agrees(state: LedgerState, pages: Pages) -> bool:
    """Whether each account has left what its last charge wrote, in an entry that the next one follows."""
    for (dataset, analyst), account in state.accounts.items():
        worst = [sum((sums[i].worst for sums in account.sums.values()), Fraction(0)) for i in range(len(account.spent))]
        if any(most > spent for most, spent in zip(worst, account.spent, strict=True)):
            return False
        if account.last:
            link = pages.page(account.last)
            entry = entry_from(link.body) if link is not None and stands(link, pages) else None
            if not isinstance(entry, Charged):
                return False
            left = entry.left[0] if analyst is None else entry.left[1]
            is_ours = entry.dataset == dataset and analyst in {None, entry.analyst}
            if not is_ours or left != account.left:
                return False
    return True


def _account_data(key: Key, account: Account) -> Table:
    """An account with its sums; how often each event was charged is left to the list."""
    dataset, analyst = key
    groups: list[Item] = [
        {"column": column, "version": version, "sums": [_sums_data(one) for one in sums]}
        for (column, version), sums in account.sums.items()
    ]
    return {
        "dataset": dataset, "analyst": analyst, "unit": unit_data(account.unit), "budget": budget_data(account.budget),
        "spent": numbers(account.spent), "immutable": sorted(account.immutable), "last": account.last, "groups": groups,
    }  # fmt: skip


def _account_from(data: Mapping[str, Any]) -> tuple[Key, Account]:
    """The account of plain data, or any of Python's own errors."""
    sides = unit_from(data["unit"]).neighbors.sides
    sums: dict[Group, tuple[PartSums, ...]] = {
        (group["column"], group["version"]): tuple(_sums_from(one, sides) for one in group["sums"])
        for group in data["groups"]
    }
    budget = budget_from(data["budget"])
    account = Account(
        unit_from(data["unit"]), budget, _cost(data["spent"], len(budget.limit)), frozenset(data["immutable"]), sums,
        events=None, last=data["last"],
    )  # fmt: skip
    if any(len(one) != len(budget.limit) for one in sums.values()):
        raise ValueError(len(budget.limit))
    return (data["dataset"], data["analyst"]), account


def _sums_data(sums: PartSums) -> Table:
    pairs = sums.pairs
    both = [] if pairs is None else [[*pair, str(value)] for pair, value in pairs.both.items()]
    return {
        "parts": _texts(sums.parts), "largest": list(sums.largest), "worst": str(sums.worst),
        "pairs": None if pairs is None else {
            "everywhere": str(pairs.everywhere), "parts": _texts(pairs.parts), "both": sorted(both),
            "worst": str(pairs.worst),
        },
    }  # fmt: skip


def _sums_from(data: Mapping[str, Any], sides: int) -> PartSums:
    given, pairs = data["pairs"], None
    if (given is not None) is not (sides == 2):
        raise ValueError(sides)
    if given is not None:
        parts = _fractions(given["parts"])
        both = {(a, b): _fraction(value) for a, b, value in given["both"]}
        order = sorted((value, key) for key, value in parts.items())
        pairs = PairSums(_fraction(given["everywhere"]), parts, both, order, _fraction(given["worst"]))
    parts = _fractions(data["parts"])
    if not set(data["largest"]) <= set(parts):
        raise ValueError(sides)
    return PartSums(sides, parts, tuple(data["largest"]), pairs, _fraction(data["worst"]))


def _texts(parts: Mapping[str, Fraction]) -> Table:
    return {key: str(value) for key, value in parts.items()}


def _fractions(parts: Mapping[str, str]) -> dict[str, Fraction]:
    return {key: _fraction(value) for key, value in parts.items()}


def _fraction(text: str) -> Fraction:
    """A sum, which is never negative."""
    value = Fraction(text)
    if value < 0:
        raise ValueError(text)
    return value


def _cost(texts: list[str], length: int) -> tuple[Fraction, ...]:
    if len(texts) != length:
        raise ValueError(length)
    return tuple(map(_fraction, texts))
