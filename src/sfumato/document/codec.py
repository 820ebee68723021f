"""The one codec of documents: a parsed table becomes an object of its class, and an object becomes a table again.

It is strict (a text is no number, a truth value no whole number), chooses between tables of several classes, makes what
reads a type when a value of that type is met, and leaves the wording of faults to `fault`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_origin, get_type_hints

from sfumato.document.fault import (
    Fault,
    must_be,
    must_be_list_of,
    must_be_one_of,
    must_be_so,
    must_be_table,
    must_have_form,
    must_know,
    must_say,
)
from sfumato.document.hierarchy import Members, Tree
from sfumato.document.spec import (
    Class,
    Hint,
    Promise,
    bare,
    form_of,
    is_required,
    is_table,
    is_union,
    key_of,
    tables_of,
    tag_of,
    words_in,
)
from sfumato.errors import SfumatoError
from sfumato.guarantee.base import Criterion
from sfumato.guarantee.registry import criterion_from, criterion_to
from sfumato.numbers.exact import plain, shown, written
from sfumato.table.values import check_values

if TYPE_CHECKING:
    from sfumato.table.values import Item, Path, Table

T = TypeVar("T")
Reader = Callable[[Any], Any]
"""What makes an object of a value, or raises a `Fault`."""

_SCALARS = (str, int, float, bool, date)


def read(cls: type[T], table: Table, title: str) -> T:
    """The object that a parsed document describes.

    Args:
        cls: class of the document.
        table: its tables.
        title: what the document is called in messages ("the plan").

    Raises:
        PlanError: a key is absent, unknown or of the wrong type; the message names the table and the key.
    """
    for name, value in table.items():
        check_values("a key", name)
        check_values(name, value)
    return read_part(cls, table, (), title)


def read_part(cls: type[T], table: Table, path: Path, title: str) -> T:
    """The object that a table inside a document describes, of which the values were looked through.

    Args:
        cls: class of the table.
        table: its keys and values.
        path: where it stands.
        title: what the document is called.
    """
    try:
        return cast("T", _reader(cast("Hint", cls))(table))
    except Fault as fault:
        for step in reversed(path):
            fault.below(step)
        raise fault.error(title) from None


def write(thing: object) -> dict[str, Item]:
    """The table that describes an object: `read` gives an equal one back.

    Keys that hold what they hold when absent are left out.
    """
    out: dict[str, Item] = dict([tag]) if (tag := tag_of(type(thing))) else {}
    for one in fields(cast("Any", thing)):
        value = getattr(thing, one.name)
        if value != (one.default_factory() if one.default_factory is not MISSING else one.default):
            out[key_of(one)] = plain_value(value)
    return out


def plain_value(value: object) -> Item:
    """One value as a document has it."""
    if hasattr(value, "model"):
        return criterion_to(cast("Criterion", value))
    if is_dataclass(value):
        return write(value)
    if isinstance(value, Enum):
        return cast("str", value.value)
    if isinstance(value, Fraction):
        return plain(value)
    if isinstance(value, Mapping):
        return {str(name): plain_value(item) for name, item in value.items()}
    return [plain_value(item) for item in value] if isinstance(value, (list, tuple)) else cast("Item", value)


@cache
def _reader(hint: Hint) -> Reader:  # noqa: PLR0911  one line for each kind of type
    """What reads values of a type."""
    special = {Members: _members, Tree: _tree, Fraction: _number, Promise: criterion_from, Any: _as_it_is}
    if hint in special:
        return special[hint]
    if is_union(hint):
        return _union(hint)
    origin: object = get_origin(hint)
    if origin is tuple:
        return _list(get_args(hint)[0])
    if origin is Mapping:
        return _names(get_args(hint)[1])
    if is_dataclass(hint):
        return _table(cast("Class", hint))
    if words := words_in(hint):
        return _word(hint, words)
    return lambda value: _strict(value, hint)


def _as_it_is(value: Any) -> Any:
    return value


def _members(value: Any) -> Any:
    """A list of members, looked through when the hierarchy is made."""
    if not isinstance(value, (list, tuple)):
        raise must_be(tuple, value)
    return Members(tuple(value))


def _tree(value: Any) -> Any:
    """A tree, looked through when the hierarchy is made."""
    if not isinstance(value, Mapping):
        raise must_be(dict, value)
    return Tree(value)


def _strict(value: Any, kind: Any) -> Any:
    """A value of that type; whole numbers pass as numbers."""
    if kind is float and type(value) is int:
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise must_be(kind, value)
    return value


def _number(value: Any) -> Fraction:
    """An exact number, written as a number or as text."""
    try:
        return written(value)
    except ValueError:
        raise Fault("`{key}` in {where} must be a finite number; got {shown}.", "correct the value.",
                    shown=shown(value)) from None  # fmt: skip


def _word(hint: Hint, words: list[object]) -> Reader:
    """A word of several, or the member of an Enum that has it as its value."""
    made = hint if isinstance(hint, type) else _as_it_is
    return lambda value: made(_word_of(value, words))


def _word_of(value: Any, words: list[object]) -> Any:
    if not isinstance(value, str):
        raise must_be(str, value)
    if value not in words:
        raise must_be_one_of(words, value)
    return value


def _list(kind: Hint) -> Reader:
    """A list of things of one kind."""
    inside = _inside(kind, is_scalar=kind in _SCALARS)

    def structure(value: Any) -> Any:
        if not isinstance(value, (list, tuple)):
            raise must_be(tuple, value)
        return tuple(inside(item, i) for i, item in enumerate(value))

    return structure


def _names(kind: Hint) -> Reader:
    """Things of one kind by free names."""
    inside = _inside(kind)

    def structure(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise must_be(dict, value)
        return {name: inside(item, name) for name, item in value.items()}

    return structure


def _inside(kind: Hint, *, is_scalar: bool = False) -> Callable[[object, str | int], Any]:
    """What reads one thing in a list or under a free name."""
    needs_table, read_one = is_table(kind), _reader(kind)

    def structure(item: object, step: str | int) -> Any:
        try:
            if needs_table and not isinstance(item, Mapping):
                raise must_be_table()
            return read_one(item)
        except Fault as fault:
            raise (must_be_list_of(kind) if is_scalar else fault).below(step) from None
        except SfumatoError as error:
            raise error.below(step) from None

    return structure


def _union(hint: Hint) -> Reader:
    """One of several types: tables by tag or form, everything else by what was given."""
    members = [member for member in get_args(hint) if member is not type(None)]
    tables = tables_of(hint)
    scalars, forms = tuple(set(members) & set(_SCALARS)), {cls: _forms(cls) for cls in tables}
    takes_bool, only = bool in members, members[0] if len(members) == 1 else None

    def structure(value: Any) -> Any:
        if tables and isinstance(value, Mapping):
            cls, rest = _chosen(value, forms)
            try:
                return _reader(cast("Hint", cls))(rest)
            except Fault as fault:
                raise must_know(cls, fault.unknown, tables) if fault.unknown and not fault.path else fault from None
        if only is not None:
            return _reader(only)(value)
        if (isinstance(value, bool) and not takes_bool) or not isinstance(value, scalars):
            raise must_be(hint, value)
        return value

    return structure


def _chosen(table: Mapping[str, Any], forms: Mapping[Class, frozenset[str]]) -> tuple[Class, Mapping[str, Any]]:
    """The class that a table means, and the table without its tag."""
    classes = tuple(forms)
    tag = tag_of(classes[0])
    if tag is None and all(map(form_of, classes)) and all(keys.isdisjoint(table) for keys in forms.values()):
        raise must_have_form(table, classes)
    if tag is None:
        return next((cls for cls, keys in forms.items() if not keys.isdisjoint(table)), classes[-1]), table
    by_word = {str(cls.tag[1]): cls for cls in classes}
    if table.get(tag[0]) is None:
        raise must_say(tag[0], str)
    try:
        word = _word_of(table[tag[0]], list(by_word))
    except Fault as fault:
        raise fault.below(tag[0]) from None
    return by_word[word], {name: item for name, item in table.items() if name != tag[0]}


def _forms(cls: Any) -> frozenset[str]:
    """The key that tells a class, in every version of the document."""
    own = [one for one in fields(cast("Any", cls)) if key_of(one) == form_of(cls)]
    return frozenset({*map(key_of, own), *(str(one.metadata["old"]) for one in own if "old" in one.metadata)})


def _table(cls: Class) -> Reader:
    """A table of one class; absent keys and those without a value are the same."""
    hints = get_type_hints(cls)
    known = {key_of(one): (one, hints[one.name]) for one in fields(cls)}
    old: dict[str, str] = {one.metadata["old"]: key for key, (one, _) in known.items() if "old" in one.metadata}

    def structure(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise must_be(dict, value)
        given = {str(old.get(name, name)): item for name, item in value.items() if item is not None}
        taken = {}
        for key, (one, hint) in known.items():
            if key not in given:
                if is_required(one):
                    raise must_say(key, bare(hint))
                continue
            try:
                taken[one.name] = _reader(hint)(given[key])
            except (Fault, SfumatoError) as error:
                raise _seen_from(error, one) from None
        if unknown := given.keys() - known.keys():
            raise must_know(cls, sorted(unknown), ())
        return cls(**taken)

    return structure


def _seen_from(error: Fault | SfumatoError, one: Field[Any]) -> Fault | SfumatoError:
    """A fault inside a table, with the key under which it is."""
    if isinstance(error, Fault) and "must" in one.metadata and all(isinstance(step, int) for step in error.path):
        error = must_be_so(one.metadata["must"], one.metadata.get("remedy", error.remedy))
    return error.below(key_of(one))
