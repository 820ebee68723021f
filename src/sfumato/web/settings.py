"""What must hold of limits and tokens in every server document."""

from __future__ import annotations

from dataclasses import astuple
from math import inf
from typing import TYPE_CHECKING

from sfumato.errors import PlanError

if TYPE_CHECKING:
    from sfumato.document.server import Limits

_DIGEST = 64
"""Hexadecimal digits of a SHA-256."""


def check_limits(limits: Limits) -> None:
    """Refuse limits with which nothing could be served.

    Raises:
        PlanError: one is not above 0, or no body finds room.
    """
    if not all(limit is None or 0 < limit < inf for limit in astuple(limits)):
        raise PlanError("Every limit in [limits] must be a finite number above 0.", "correct it.").below("limits")
    if limits.memory < limits.body:
        raise PlanError(
            "`memory` in [limits] must hold one `body` at least.", "raise the one or lower the other."
        ).below("limits", "memory")


def check_digest(key: str, text: str, where: str) -> None:
    """Refuse what is no SHA-256 in hexadecimal: the token itself never stands in a document.

    Args:
        key: the key, for messages.
        text: what stands there; "": nothing.
        where: its table, for messages.
    """
    if text and (len(text) != _DIGEST or set(text) - set("0123456789abcdef")):
        raise PlanError(
            "`{key}` in {where} must be a SHA-256 in hexadecimal.",
            "make one with `sfumato serve token`.",
            key=key,
            where=where,
        ).below(key)
