"""Who broke which rule, in words: errors that several checks raise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import Caught
from sfumato.together.check import Check

if TYPE_CHECKING:
    from collections.abc import Sequence


def made_up(who: str, kind: str, holder: str) -> Caught:
    """A message of another holder was made by the publisher."""
    return Caught(
        "Each message must be signed by its sender; {kind!r} of {holder!r} is not, so {who!r} made it.",
        "do not go on.",
        who=who,
        kind=kind,
        holder=holder,
        check=Check.ORIGIN.value,
    )


def not_as_sent(who: str) -> Caught:
    """The release is not what was sent."""
    return Caught(
        "Rows must be published as they were sent, each once; {who!r} dropped, copied or changed some, or a holder sent what is none.",
        "do not approve the release.",
        who=who,
        check=Check.RELEASED.value,
    )


def not_once(who: str) -> Caught:
    """A holder or row was dropped or copied."""
    return Caught(
        "Each holder must be counted once; {who!r} dropped or copied one.",
        "do not go on.",
        who=who,
        check=Check.ONCE.value,
    )


def other_root(who: str) -> Caught:
    """A root is not that of its list."""
    return Caught(
        "A root must be that of what is listed; that of {who!r} is of something else.",
        "do not go on.",
        who=who,
        check=Check.ROOT.value,
    )


def reassigned(who: str) -> Caught:
    """Classes are not those that were fixed."""
    return Caught(
        "The classes of a holder's rows must be those that were fixed before; {who!r} changed them.",
        "do not go on.",
        who=who,
        check=Check.ASSIGNED.value,
    )


def replaced(who: str) -> Caught:
    """Something else is counted than was sent."""
    return Caught(
        "What a holder sent must be what is counted; {who!r} replaced it.",
        "do not go on.",
        who=who,
        check=Check.MEMBERSHIP.value,
    )


def two_roots(who: str, others: Sequence[str]) -> Caught:
    """Two roots were shown."""
    return Caught(
        "All holders must be shown one root; {who!r} showed another one to {others}.",
        "both are signed: keep them as proof. Do not go on.",
        who=who,
        others=others,
        check=Check.ECHO.value,
    )


def unsigned(who: str, kind: str) -> Caught:
    """A message is not by its sender."""
    return Caught(
        "Each message must be signed by its sender; {kind!r} is not by {who!r}.",
        "nothing was sent; ask the publisher what happened.",
        who=who,
        kind=kind,
        check=Check.ORIGIN.value,
    )
