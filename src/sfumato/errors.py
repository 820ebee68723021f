"""Every exception that Sfumato raises on purpose.

The tree::

    SfumatoError
    ├── ParameterError(ValueError)       a number or option outside its range
    ├── SchemaError(ValueError)          the table is not what the schema says
    │   └── HierarchyError               a hierarchy does not fit its column
    │       ├── IncompleteHierarchy      rows or levels are absent from the hierarchy itself
    │       ├── AmbiguousHierarchy       one value or node has two parents
    │       ├── IntervalGap              no interval holds a value between two intervals
    │       ├── IntervalOverlap          two intervals hold the same value
    │       ├── ValueNotInHierarchy      the table has a value that the hierarchy lacks
    │       └── ValueFormMismatch        `34`, `34.0` and `"34"` were mixed
    ├── SourceError(ValueError)          a table cannot be read or written as asked
    ├── PlanError(ValueError)            the plan document is wrong
    ├── ResultError(ValueError)          the result document is wrong
    ├── ReportError(ValueError)          a randomized report does not fit the server's oracle
    ├── ProtocolError(ValueError)        a party of a protocol sends what it must not send
    ├── QueryError(ValueError)           a question whose answer cannot be bounded
    ├── LedgerError                      the ledger is damaged, locked, or not what was opened
    ├── BudgetExceeded                   the answer would cost more than is left
    ├── Caught                           another party of a joint publication broke its rules
    ├── NoSolution                       no release satisfies what was promised
    ├── Interrupted                      the user stopped the work
    ├── EngineError                      the engine failed
    └── InternalError                    our fault

An error is itself a release: messages name columns, counts of problems, line numbers and public
parameters, never a cell value of a person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self


class SfumatoError(Exception):
    """What must be true and what was given (`problem`), and what to do (`remedy`).

    Both are templates with named public values, so that a message can be told in another language: `templates` is the
    key of a translation, `values` fills it in. Texts without values are taken as they are, braces included.

    Args:
        problem: what must be true and what was given.
        remedy: what to do.
        values: what stands in the braces of both; public, as the message is.

    An error about a document that somebody wrote knows the `path` of the key, and, where the document was read from a
    file, its `place` ("line 12 of 'plan.toml'").

    Example:
        >>> error = SfumatoError("`k` must be at least {least}; got {k}.", "give such as {least}.", least=2, k=1)
        >>> str(error)
        '`k` must be at least 2; got 1. Remedy: give such as 2.'
        >>> error.templates[0], error.values
        ('`k` must be at least {least}; got {k}.', {'least': 2, 'k': 1})
    """

    exit_code = 1
    path: tuple[str | int, ...] = ()
    place: str = ""

    def __init__(self, problem: str, remedy: str, /, **values: object) -> None:
        self.templates = (problem, remedy)
        self.values = values
        self.problem, self.remedy = (text.format(**values) if values else text for text in self.templates)
        super().__init__(f"{self.problem} Remedy: {self.remedy}")

    @classmethod
    def of(cls, error: SfumatoError, before: str = "", /, **values: object) -> Self:
        """The same message as an error of this class.

        Args:
            error: says what is wrong.
            before: what stands before it: where that is.
            values: named public values of `before`.

        Example:
            >>> PlanError.of(SourceError("{n} lines.", "none.", n=3), "Column {column!r}: ", column="age").problem
            "Column 'age': 3 lines."
        """
        problem, remedy = error.templates
        if values and not error.values:
            problem, remedy = (text.replace("{", "{{").replace("}", "}}") for text in error.templates)
        return cls(before + problem, remedy, **values, **error.values)

    def below(self, *steps: str | int) -> Self:
        """The same error, seen from the table or document in which its key stands."""
        self.path = (*steps, *self.path)
        return self

    def at(self, place: str) -> Self:
        """The same error, with its place in a file."""
        self.place = place
        self.args = (f"{self.problem} Remedy: {self.remedy} See {place}.",)
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Templates and values, so that an error comes whole out of another process."""
        return _made_again, (type(self), self.templates, self.values, self.path, self.place)


def _made_again(
    kind: type[SfumatoError],
    templates: tuple[str, str],
    values: Mapping[str, Any],
    path: tuple[str | int, ...],
    place: str,
) -> SfumatoError:
    """An error from its parts."""
    given = templates[:1] if issubclass(kind, InternalError) else templates
    made = kind(*given, **values).below(*path)
    return made.at(place) if place else made


class ParameterError(SfumatoError, ValueError):
    """A parameter lies outside its range."""

    exit_code = 2


class SchemaError(SfumatoError, ValueError):
    """The table and its schema disagree."""

    exit_code = 3


class HierarchyError(SchemaError):
    """A generalization hierarchy does not fit its column."""


class IncompleteHierarchy(HierarchyError):
    """Rows or levels are absent from the hierarchy itself."""


class AmbiguousHierarchy(HierarchyError):
    """One value or node has two different parents."""


class IntervalGap(HierarchyError):
    """A value falls between two declared intervals, or outside them all."""


class IntervalOverlap(HierarchyError):
    """Two declared intervals hold the same value."""


class ValueNotInHierarchy(HierarchyError):
    """The table holds a value that the hierarchy lacks."""


class ValueFormMismatch(HierarchyError):
    """The table and the hierarchy write the same number in two forms (`34` and `34.0`)."""


class SourceError(SfumatoError, ValueError):
    """A table cannot be read or written as asked."""

    exit_code = 4


class PlanError(SfumatoError, ValueError):
    """The plan document is wrong; the message names the key."""

    exit_code = 5


class ResultError(SfumatoError, ValueError):
    """The result document is wrong; the message names the key."""

    exit_code = 8


class ReportError(SfumatoError, ValueError):
    """A randomized report does not fit the oracle that should count it."""

    exit_code = 9


class ProtocolError(SfumatoError, ValueError):
    """A party of a protocol sends what it must not send; nothing was answered."""

    exit_code = 14


class QueryError(SfumatoError, ValueError):
    """A question whose answer cannot be bounded under the declared schema."""

    exit_code = 12


class LedgerError(SfumatoError):
    """The ledger is damaged, locked, or not what was opened; nothing was charged."""

    exit_code = 11


class BudgetExceeded(SfumatoError):
    """The answer would cost more than is left; nothing was charged and nothing was read."""

    exit_code = 10


class Caught(SfumatoError):
    """Another party of a joint publication broke its rules; nothing is published.

    The values hold `who` it was, and which `check` found it.
    """

    exit_code = 13

    @property
    def who(self) -> str:
        """Name of the party."""
        return str(self.values.get("who", ""))

    @property
    def check(self) -> str:
        """Name of the check (see `sfumato.together.checks`)."""
        return str(self.values.get("check", ""))


class NoSolution(SfumatoError):
    """No release within the limits satisfies the criteria."""

    exit_code = 6


class EngineError(SfumatoError):
    """The engine failed at something it should do (disk full, database gone)."""

    exit_code = 7


class Interrupted(SfumatoError):
    """The user stopped the work; nothing was published."""

    exit_code = 130


class InternalError(SfumatoError):
    """Our fault. The message holds nothing private."""

    exit_code = 70

    def __init__(self, problem: str, /, **values: object) -> None:
        super().__init__(problem, "this is a defect of Sfumato: please report it.", **values)
