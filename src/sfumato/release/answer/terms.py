"""What comes with every question? Its price, the confidence of its intervals, and a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from sfumato.release.answer.offer import Number


class Offer(TypedDict, total=False):
    """Exactly one price must be there: `epsilon`, `epsilon` with `delta`, or `rho`.

    Args:
        epsilon: pure price; with `delta`, approximate.
        delta: of an approximate price.
        rho: zero-concentrated price.
        confidence: of each interval, 0.95 if absent.
        request: name of the question in the ledger; absent: made of the question itself.
    """

    epsilon: Number
    delta: Number
    rho: Number
    confidence: float
    request: str
