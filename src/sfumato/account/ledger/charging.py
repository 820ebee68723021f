"""Is an order a new charge, one that was made before, or another question under a name that is taken?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.account.ledger.account import Asked
from sfumato.account.ledger.entry import Charged
from sfumato.account.ledger.receipt import Receipt, receipt_of
from sfumato.errors import LedgerError

if TYPE_CHECKING:
    from sfumato.account.ledger.order import Order
    from sfumato.account.ledger.transactions import Turn


def charged(turn: Turn, dataset: str, analyst: str, order: Order, at: str) -> Receipt:
    """The receipt of one order, which is counted unless it was before."""
    place = turn.books.charges.get(order.request)
    if place is not None:
        known = turn.entry_at(place, Charged)
        if (known.dataset, known.analyst) != (dataset, analyst) or not order.is_of(known):
            raise _not_the_same(known)
        return receipt_of(known, place)
    costs, left = turn.books.afford(dataset, analyst, order.event, Asked(order.scope, order.version))
    entry = Charged(
        dataset, analyst, order.request, order.event, order.scope, costs, left, order.note, at, order.version,
        order.question,
    )  # fmt: skip
    return receipt_of(entry, turn.append(entry))


def _not_the_same(known: Charged) -> LedgerError:
    """What is raised when one name is used for two questions."""
    if known.question is None:
        return LedgerError(
            "A request must name one question; this one was charged by version 0.1.0, which did not record all that a "
            "question means. Its charge counts, its answer is not given again.",
            "give the question a name of its own.",
        )
    return LedgerError(
        "A request must name one question; this one was charged for another one: another data set, analyst, event, scope, "
        "version of the data, bounds, domains or conditions.",
        "give the new question a name of its own, or none.",
    )
