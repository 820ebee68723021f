"""Who may take part: whoever somebody vouches for, as long as there is room."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError, ReportError
from sfumato.together.keys import card_from
from sfumato.together.wire import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.together import TogetherDocument
    from sfumato.together.keys import Card
    from sfumato.together.wire import Envelope


def vouched(said: TogetherDocument, message: Envelope, publisher: str, names: Sequence[str], most: int) -> Card:
    """The card in an enrolment, or in the complaint of one who has not enrolled.

    Args:
        said: terms, which list holders or name an authority.
        message: what came.
        publisher: its name, which no holder may have.
        names: of those who enrolled.
        most: how many may.

    Raises:
        ReportError: it holds no card.
        ParameterError: nobody vouches for it, or there is no room.
    """
    try:
        told = json.loads(message.body)
        card = card_from(told if message.kind is Kind.ENROL else told.get("card"))
    except (ValueError, AttributeError, RecursionError):
        raise ReportError(
            "A card must hold a name and two public keys.", "make one with `sfumato together key`."
        ) from None
    known = {one.name: one.fingerprint for one in said.holder}
    trusted = card.is_certified_by(said.authority) if said.authority else card.name in known
    good = trusted and (not known or known.get(card.name) == card.fingerprint) and card.name != publisher
    room = card.name in names or message.kind is Kind.COMPLAINT or len(names) < most
    if not good or message.sender != card.name or not room:
        raise ParameterError(
            "Somebody must vouch for a holder, and there must be room for it.", "ask who set the terms."
        )
    return card
