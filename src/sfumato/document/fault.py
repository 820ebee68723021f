"""What is wrong with a document, in the words of the house: the table, the key, what must be there, what is."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Self, get_args, get_origin

from sfumato.document.spec import form_of, keys_of, tables_of, tag_of
from sfumato.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.spec import Class, Hint
    from sfumato.table.values import Path

_WORDS: dict[Any, str] = {
    str: "text", int: "a whole number", float: "a number", bool: "true or false", dict: "a table", tuple: "a list",
    Fraction: "a number",
}  # fmt: skip
_SEVERAL: dict[Any, str] = {str: "texts", int: "whole numbers", float: "numbers"}


class Fault(Exception):
    """One fault of a document, on its way up to the document's title.

    Args:
        problem: template of the message, with `{key}` and `{where}` for the place.
        remedy: template of what to do.
        values: what stands in both.
    """

    def __init__(self, problem: str, remedy: str, **values: object) -> None:
        super().__init__(problem)
        self.problem, self.remedy, self.values = problem, remedy, values
        self.path: Path = ()
        self.unknown: tuple[str, ...] = ()

    def below(self, step: str | int) -> Self:
        """The same fault, seen from the table or list in which it is."""
        self.path = (step, *self.path)
        return self

    def error(self, title: str) -> PlanError:
        """The error, with its place."""
        is_key = "{key}" in self.problem
        path = self.path
        if is_key:  # what is wrong with an element of a list is said of the list
            while path and isinstance(path[-1], int):
                path = path[:-1]
        where = place_of(path[:-1] if is_key else path, title)
        found = PlanError(self.problem, self.remedy, where=where, key=path[-1] if path else title, **self.values)
        found.path = (*self.path, *self.unknown[:1])
        return found


def must_be(hint: Hint, value: object) -> Fault:
    """A value of the wrong type."""
    return Fault("`{key}` in {where} must be {must}; got {got}.", "correct the value.",
                 must=words_of(hint), got=type(value).__name__)  # fmt: skip


def must_be_list_of(hint: Hint) -> Fault:
    """A list in which something has the wrong type."""
    remedy = "put each value in quotes." if hint is str else "correct the value."
    return Fault("`{key}` in {where} must be a list of {must}.", remedy, must=_SEVERAL.get(hint, "values of one type"))


def must_be_table() -> Fault:
    """An entry of a table or a list that must be a table."""
    return Fault("{where} must be a table of keys and values.", "write `{where}` and its keys below it.")


def must_be_one_of(words: list[object], value: object) -> Fault:
    """A word that is none of those that are known."""
    return Fault("`{key}` in {where} must be one of {words}; got {got}.", "choose one of them.",
                 words=words, got=repr(value))  # fmt: skip


def must_say(key: str, hint: Hint) -> Fault:
    """A key that must be there."""
    return Fault("{where} must say `{absent}`.", "add `{absent} = …` ({must}).", absent=key, must=words_of(hint))


def must_be_so(must: str, remedy: str) -> Fault:
    """A value that is not what the class says in words."""
    return Fault("`{key}` in {where} must be {must}.", remedy, must=must)


def must_have_form(table: Mapping[str, Any], classes: Sequence[Class]) -> Fault:
    """A table that is of none of the kinds that are told by a key."""
    return Fault("{where} must be of a known form; got the keys {keys}.", "use one of {forms}.",
                 keys=sorted(map(str, table)), forms=sorted(str(form_of(cls)) for cls in classes))  # fmt: skip


def must_know(cls: Class, unknown: Sequence[str], siblings: Sequence[Class]) -> Fault:
    """Keys that the class of a table does not have."""
    found = _unknown(cls, unknown, siblings)
    found.unknown = tuple(unknown)
    return found


def _unknown(cls: Class, unknown: Sequence[str], siblings: Sequence[Class]) -> Fault:
    """The words for it; of a method with the methods that know those keys."""
    known, tag = sorted(keys_of(cls)), tag_of(cls)
    if tag is None or tag[0] != "name":
        return Fault("{where} must hold known keys only; unknown: {unknown}; known here: {known}.",
                     "correct or remove them.", unknown=list(unknown), known=known)  # fmt: skip
    knowing = [str(one.tag[1]) for one in siblings if set(unknown) <= set(keys_of(one))]
    return Fault(
        'The method "{name}" does not know {unknown}{knowing}; it knows {known}.',
        "remove {unknown} from {where}, or choose a method that knows them.",
        name=tag[1], unknown=", ".join(unknown), known=", ".join(known) or "no further key",
        knowing=f" (of {', '.join(knowing)})" if knowing else "",
    )  # fmt: skip


def words_of(hint: Hint) -> str:
    """What a value of a type is called.

    Example:
        >>> words_of(int), words_of(tuple[str, ...])
        ('a whole number', 'a list')
    """
    if tables_of(hint):
        return _WORDS[dict]
    origin: object = get_origin(hint) or hint
    if origin is Literal or (isinstance(origin, type) and issubclass(origin, Enum)):
        return _WORDS[str]
    if origin in _WORDS:
        return _WORDS[origin]
    return _WORDS[dict] if "Mapping" in str(origin) else " or ".join(dict.fromkeys(map(words_of, get_args(hint))))


def place_of(path: Path, title: str) -> str:
    """How a table is called in messages.

    Example:
        >>> place_of((), "the plan"), place_of(("columns", "age"), "the plan"), place_of(("table", 0), "the document")
        ('the plan', '[columns.age]', '[[table]] 1')
    """
    if not path:
        return title
    if path[0] == "columns" and path[2:3] == ("hierarchy",):
        return f"the hierarchy of {path[1]!r}"
    if len(path) > 1 and isinstance(path[1], int):
        rest = "".join(f" {step}" for step in path[2:])
        return f"[[{path[0]}]] {path[1] + 1}{rest}"
    return f"[{'.'.join(map(str, path))}]"
