"""The first line of every document: what it is, and in which version. Older spellings of it are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sfumato.errors import PlanError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.table.values import Item, Table

FORMAT: Final = "format"


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line of a kind of document says.

    Args:
        format: the value of `format`.
        old: the key that version 0.1.0 wrote in its place, with the value 1.
    """

    format: str
    old: str


PLAN = Header("sfumato.plan/1", "sfumato")
DATA = Header("sfumato.data/1", "sfumato-data")
COLLECTION = Header("sfumato.collection/1", "sfumato_collection")
SURVEY = Header("sfumato.survey/1", "sfumato-survey")
NOISING = Header("sfumato.noising-plan/1", "sfumato_noising")
PRAM = Header("sfumato.pram-plan/1", "sfumato_pram")
PSEUDONYMS = Header("sfumato.pseudonyms-plan/1", "sfumato_pseudonyms")
SERVER = Header("sfumato.server/1", "sfumato-server")
CONTEST = Header("sfumato.contest/1", "sfumato-contest")
TOGETHER = Header("sfumato.together/1", "sfumato-together")


def without_header(table: Table, header: Header, title: str) -> dict[str, Item]:
    """The document below its first line.

    Raises:
        PlanError: the line is absent, or says another kind or version.

    Example:
        >>> without_header({"format": "sfumato.plan/1", "method": {}}, PLAN, "the plan")
        {'method': {}}
        >>> without_header({"sfumato": 1}, PLAN, "the plan")
        {}
    """
    rest = dict(table)
    said, old = rest.pop(FORMAT, None), rest.pop(header.old, None)
    if said is None and old is not None:
        _check_version(old, header, title)
    elif said is None:
        raise PlanError("{where} must say `{key}`.", 'add `{key} = "{format}"`.',
                        where=title, key=FORMAT, format=header.format).below(FORMAT)  # fmt: skip
    elif said != header.format or old is not None:
        raise PlanError("`{key}` must be {format!r}, alone; got {said!r}.", "correct it.",
                        key=FORMAT, format=header.format, said=said).below(FORMAT)  # fmt: skip
    return rest


def is_of(table: Table, header: Header) -> bool:
    """Whether a document says that it is of a kind, in whatever version."""
    kind, _, _ = header.format.partition("/")
    return header.old in table or str(table.get(FORMAT)).partition("/")[0] == kind


def in_old_words(table: Table, header: Header) -> dict[str, Item]:
    """A document with the first line of version 0.1.0, of which digests are taken whichever line it has."""
    return {header.old if name == FORMAT else name: 1 if name == FORMAT else item for name, item in table.items()}


def _check_version(old: Item, header: Header, title: str) -> None:
    """An older spelling says version 1."""
    if isinstance(old, bool) or not isinstance(old, int):
        from sfumato.document.fault import must_be

        raise must_be(int, old).below(header.old).error(title)
    if old != 1:
        raise PlanError("`{key}` must be 1, the version of the {what} format; got {version}.", "correct it.",
                        key=header.old, version=old, what=title.removeprefix("the ")).below(header.old)  # fmt: skip
