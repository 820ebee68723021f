"""What is one answer of several that are charged together?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.account.event import Event, numbers_of
from sfumato.account.ledger.entry import name_of, text_of
from sfumato.errors import ParameterError
from sfumato.numbers.exact import MOST_DIGITS

if TYPE_CHECKING:
    from sfumato.account.ledger.entry import Charged
    from sfumato.account.ledger.scope import Scope

_LONGEST = 10_000
"""Most characters of the name of a request."""

_MOST = 10 ** (10 * MOST_DIGITS)
"""An event holds numbers that are computed from prices and declared bounds: more digits than those have, but not any."""


@dataclass(frozen=True, slots=True)
class Order:
    """One answer to be charged.

    Args:
        request: name of the question; the same name with the same meaning is counted once in a ledger.
        event: what the mechanism does to privacy.
        scope: which rows it can concern; None: all.
        question: digest of all that the question means; a name that was used for another one is refused. "" says nothing.
        version: public name of the version of the data that is read; None: none was given.
        note: a line for readers of the statement: public text, never data.

    Raises:
        ParameterError: a name that is none, a text that cannot be written, or an event of endless numbers.
    """

    request: str
    event: Event
    scope: Scope | None = None
    question: str = ""
    version: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if not 1 <= len(text_of("request", self.request)) <= _LONGEST:
            raise ParameterError(
                "A request must be a text of 1 to {longest} characters.", "name it by a digest.", longest=_LONGEST
            )
        text_of("question", self.question)
        text_of("note", self.note)
        if self.version is not None:
            name_of("a version of the data", self.version)
        if not isinstance(self.event, Event):
            raise ParameterError("A charge must have an event; it has something else.", "give such as PureDP.")
        if any(max(abs(n.numerator), n.denominator) > _MOST for n in numbers_of(self.event)):
            raise ParameterError(
                "The numbers of an event must have at most {most_digits} digits; some have more.",
                "give prices of fewer digits, rounded up.",
                most_digits=10 * MOST_DIGITS,
            )

    def is_of(self, known: Charged) -> bool:
        """Whether a charge on record is the one for this question."""
        return (known.event, known.scope, known.version, known.question) == (
            self.event, self.scope, self.version, self.question,
        )  # fmt: skip
