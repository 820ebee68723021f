"""What is said of one key of a document? Its kind, its meaning, and whether it must be there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Field:
    """One key of the document.

    Args:
        kind: "text", "count" (whole, >= 0), "number", "share" (in [0, 1]), "flag", "any", "object"
            (named keys), "list", "pair" (a text or null, and a number) or "map" (free names).
        meaning: one phrase.
        required: whether a document without it is refused.
        nullable: whether null is allowed.
        of: the keys of an object; the item of a list or map.
        choices: the only texts allowed; () when free.
    """

    kind: str
    meaning: str
    required: bool = False
    nullable: bool = False
    of: Mapping[str, Field] | Field | None = None
    choices: tuple[str, ...] = ()


def text(meaning: str, *, required: bool = False, nullable: bool = False, choices: tuple[str, ...] = ()) -> Field:
    """A text; with choices, one of them."""
    return Field("text", meaning, required, nullable, None, choices)


def count(meaning: str, *, required: bool = False, nullable: bool = False) -> Field:
    """A whole number, at least 0."""
    return Field("count", meaning, required, nullable)


def number(meaning: str, *, required: bool = False, nullable: bool = True) -> Field:
    """A number; null where it was not computed."""
    return Field("number", meaning, required, nullable)


def share(meaning: str, *, required: bool = False, nullable: bool = True) -> Field:
    """A number in [0, 1]; null where it was not computed."""
    return Field("share", meaning, required, nullable)


def objects(meaning: str, of: Mapping[str, Field], *, required: bool = False) -> Field:
    """A list of objects with the same keys."""
    return Field("list", meaning, required, of=Field("object", "", of=of))
