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


def all_sections() -> tuple[Section[Any], ...]:
    """Every part of a report, in the order of the page."""
    return _sections(_files())


def sections_of(result: ReleaseResult) -> tuple[Section[Any], ...]:
    """The same without files whose name is a key that the result lacks: these hold nothing of it, and are not loaded.

    Example:
        >>> from sfumato.document.result.release import Done, ReleaseResult, SourceTable
        >>> done = Done(method="mondrian", summary="Boxes.")
        >>> result = ReleaseResult(sfumato="1", source=SourceTable(rows=9), columns=(), done=done, promise=())
        >>> {one.name for one in all_sections()} - {one.name for one in sections_of(result)} >= {"graph", "traces"}
        True
    """
    return _sections(tuple(name for name in _files() if getattr(result, name, name) is not None))


@cache
def _files() -> tuple[str, ...]:
    """Names of the files of this folder."""
    return tuple(found.name for found in iter_modules(import_module(__name__.rpartition(".")[0]).__path__))


@cache
def _sections(names: tuple[str, ...]) -> tuple[Section[Any], ...]:
    """The parts in some files."""
    modules = [import_module(f"{__name__.rpartition('.')[0]}.{name}") for name in names]
    found = [one for module in modules for one in vars(module).values() if isinstance(one, Section)]
    return tuple(sorted(found, key=lambda one: one.place))
