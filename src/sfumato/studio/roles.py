"""Who somebody is, and what each role may do. Whatever has an address says which right it needs."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping


class Right(Enum):
    """What an address lets somebody do."""

    OPEN = "open"
    """Whoever reaches the studio: the page where one signs in, styles."""
    ENTER = "enter"
    """The list of one's projects, the language, going out."""
    SEE = "see"
    """Tables, hierarchies, risks and runs."""
    CHANGE = "change"
    """Plans, declarations, work that begins or stops, new projects."""
    QUESTIONS = "questions"
    """What may be asked of a private table, what it costs, the ledger and answers that were paid."""
    ASK = "ask"
    """A question is charged and answered."""


class Role(Enum):
    """What somebody of a team may do."""

    READER = "reader"
    """Sees everything of the projects, and changes nothing."""
    EDITOR = "editor"
    """Everything."""
    ANALYST = "analyst"
    """Asks private tables, and sees the ledger; no cell of a table and no other page."""


_RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.READER: frozenset({Right.OPEN, Right.ENTER, Right.SEE, Right.QUESTIONS}),
    Role.EDITOR: frozenset(Right),
    Role.ANALYST: frozenset({Right.OPEN, Right.ENTER, Right.QUESTIONS, Right.ASK}),
}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the pages.

    Args:
        name: in the file of users; "": the only user of a studio without one.
        role: what is allowed.
    """

    name: str
    role: Role

    def may(self, right: Right) -> bool:
        """Whether something is allowed.

        Example:
            >>> [Person("ada", role).may(Right.CHANGE) for role in Role]
            [False, True, False]
        """
        return right in _RIGHTS[self.role]

    @property
    def sees(self) -> bool:
        """Whether tables and runs are shown."""
        return self.may(Right.SEE)

    @property
    def changes(self) -> bool:
        """Whether plans may be changed."""
        return self.may(Right.CHANGE)


ALONE: Final = Person("", Role.EDITOR)
"""The only user of a studio on one machine."""
