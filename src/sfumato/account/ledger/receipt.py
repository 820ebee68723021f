"""What does the caller get for a charge?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.account.budget import Cost
    from sfumato.account.ledger.chain import Head
    from sfumato.account.ledger.entry import Charged


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof that a request was charged.

    Args:
        sequence: number of the entry.
        digest: its seal, which depends on all entries before it.
        dataset: which data set.
        analyst: who asked.
        request: name of the question.
        cost: in the measure of the data set's budget.
        analyst_cost: in the measure of the analyst's budget.
        left: of the data set's budget after this charge.
        analyst_left: of the analyst's budget after this charge.
    """

    sequence: int
    digest: str
    dataset: str
    analyst: str
    request: str
    cost: Cost
    analyst_cost: Cost
    left: Cost
    analyst_left: Cost


def receipt_of(entry: Charged, place: Head) -> Receipt:
    """The receipt of a charge."""
    return Receipt(place.entries, place.digest, entry.dataset, entry.analyst, entry.request, *entry.costs, *entry.left)
