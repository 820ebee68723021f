"""What every part of a report declares; each `Section` that a file of this folder holds is a part of every report."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.document.result.release import ReleaseResult
    from sfumato.language.words import Words

V = TypeVar("V")


def no_lines(_: object, __: Words) -> list[str]:
    """A part that the terminal does not show."""
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(Generic[V]):
    """One part of a report. The template `NAME.html` prints its view, and decides nothing.

    Args:
        name: of the template, and of the place on the page that links lead to.
        place: parts stand in the order of this number.
        heading: as the contents list it, in English; "": they do not.
        view: what is shown of a result, in plain words of a language and pictures; None: the part is left out.
        lines: what the terminal shows of a view in the same language, at most 100 characters wide.
        of: key of the result without which the part is left out; "": it looks for itself.
    """

    name: str
    place: int
    heading: str = ""
    view: Callable[[ReleaseResult, Words], V | None]
    lines: Callable[[V, Words], Sequence[str]] = no_lines
    of: str = ""

    def shown(self, result: ReleaseResult, say: Words) -> V | None:
        """What is shown of a result; None: the part is left out."""
        return None if self.of and getattr(result, self.of) is None else self.view(result, say)


@cache
def all_sections() -> tuple[Section[Any], ...]:
    """Every part of a report, in the order of the page."""
    here = __name__.rpartition(".")[0]
    names = [found.name for found in iter_modules(import_module(here).__path__)]
    found = [
        one for name in names for one in vars(import_module(f"{here}.{name}")).values() if isinstance(one, Section)
    ]
    return tuple(sorted(found, key=lambda one: one.place))
