"""Frozen dataclasses that cost little to declare: a method is compiled when it is first used.

`dataclass` of the standard library writes the source of six methods for every class and compiles it at once, a third of a
millisecond for each of hundreds of classes, of which a process uses some. Here `__eq__` and `__hash__` are compiled when
they are first looked at, `__init__` when more than a few objects are made, and the others need no compiling. Type
checkers see the decorator of the standard library, and `fields`, `replace`, `asdict` and `is_dataclass` know these
classes as theirs.
"""

from __future__ import annotations

import dataclasses
import sys
from abc import update_abstractmethods
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from dataclasses import dataclass as dataclass  # noqa: PLC0414  a type checker knows what it does

_ABSENT = dataclasses.MISSING
_Source = tuple[str, list[str], dict[str, Any], dict[str, Any]]
"""Parameters of a method after `self`, its lines, the objects that both name, and the types of the parameters."""


@dataclasses.dataclass(frozen=True, init=False, repr=False, eq=False)
class _Sample:
    """What the standard library notes of a frozen class and of a field."""

    name: object


class _Factory:
    """The default of a parameter whose value is made anew for each object."""

    def __repr__(self) -> str:
        """As the standard library shows it."""
        return "<factory>"


_FACTORY = _Factory()
_FEW = 12
"""Objects that are made before `__init__` is compiled: compiling takes as long as to fill two dozen without."""

if not TYPE_CHECKING:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, eq: bool = True, kw_only: bool = False, **more: bool
    ) -> object:
        """Declare a dataclass, with the options of `dataclasses.dataclass`.

        Args:
            frozen: whether the attributes of an object cannot be set; without it a class is left to the standard library.
            slots: whether an object holds its fields alone.
            eq: whether objects of equal fields are equal, and have the same hash.
            kw_only: whether all fields are given by name.
            more: a class with any other option is left to the standard library.

        Example:
            >>> from dataclasses import replace
            >>> @dataclass(frozen=True, slots=True)
            ... class Place:
            ...     x: int
            ...     y: int = 0
            >>> Place(3), Place(1, 2) == Place(1, y=2), replace(Place(3), y=4)
            (Place(x=3, y=0), True, Place(x=3, y=4))
        """
        if more or not frozen:
            return dataclasses.dataclass(frozen=frozen, slots=slots, eq=eq, kw_only=kw_only, **more)
        return lambda cls: _declared(cls, slots=slots, eq=eq, kw_only=kw_only)


class _Later:
    """A method of a class until it is looked at; the compiled one then takes its place.

    Args:
        name: of the method.
        source: its parameters and lines, and the objects that they name, from the class.
    """

    __slots__ = ("left", "name", "owner", "source")
    owner: type[Any]

    def __init__(self, name: str, source: Callable[[type[Any]], _Source], few: int = 0) -> None:
        self.name, self.source, self.left = name, source, few

    def __get__(self, one: object, kind: type[Any] | None = None) -> Any:
        """The compiled method, bound if there is an object; for the first few objects what fills them without."""
        if one is not None and self.left:
            self.left -= 1
            return partial(self.fill, one)
        return self.compiled().__get__(one, kind)

    def fill(self, one: object, /, *given: Any, **named: Any) -> None:
        """What a compiled `__init__` does; a wrong call is left to it, to be told as ever."""
        values = _values(self.owner, given, named)
        if values is None:
            self.compiled()(one, *given, **named)
            return
        for name, value in values.items():
            object.__setattr__(one, name, value)
        if hasattr(self.owner, "__post_init__"):
            one.__post_init__()  # type: ignore[attr-defined]

    def compiled(self) -> Any:
        """The method, which takes the place of this one."""
        made = _compiled(self.owner, self.name, self.source(self.owner))
        setattr(self.owner, self.name, made)
        return made


def _values(cls: type[Any], given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any] | None:
    """What each field of a new object is set to, in their order; None: a call like this is wrong."""
    by_place = iter(given)
    values, n_named = dict[str, Any](), 0
    for one in cls.__dataclass_fields__.values():
        value = next(by_place, _ABSENT) if one.init and not one.kw_only else _ABSENT
        if one.init and one.name in named:
            if value is not _ABSENT:
                return None
            value, n_named = named[one.name], n_named + 1
        elif value is _ABSENT and one.default_factory is not _ABSENT:
            value = one.default_factory()
        elif value is _ABSENT:
            value = one.default
        if value is not _ABSENT:
            values[one.name] = value
        elif one.init:
            return None
    return values if n_named == len(named) and next(by_place, _ABSENT) is _ABSENT else None


def _declared(cls: type[Any], *, slots: bool, eq: bool, kw_only: bool) -> type[Any]:
    """The class with its fields and methods; what it defines itself is kept."""
    own = {one.name: one for one in _own_fields(cls, kw_only=kw_only)}
    fields: dict[str, dataclasses.Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        if "__dataclass_fields__" in base.__dict__:
            fields |= {one.name: one for one in dataclasses.fields(base)}
    fields |= own
    held = vars(cls)
    members = {**_members(fields), **(_kept_in_pickles(fields) if slots else {}), **(_comparing() if eq else {})}
    is_hash_implied = held.get("__hash__") is None and "__eq__" in held
    added = {
        key: member for key, member in members.items() if key not in held or (key == "__hash__" and is_hash_implied)
    }
    made = _slotted(cls, fields, added) if slots else _extended(cls, own, added)
    for member in added.values():
        if isinstance(member, _Later):
            member.owner = made
    return made


def _own_fields(cls: type[Any], *, kw_only: bool) -> Iterator[dataclasses.Field[Any]]:
    """The fields that a class declares."""
    mark: Any = _Sample.__dataclass_fields__["name"]
    for name, hint in cls.__annotations__.items():
        if str(hint).startswith(("ClassVar", "typing.ClassVar")):
            continue
        default = cls.__dict__.get(name, _ABSENT)
        one: Any = default if isinstance(default, dataclasses.Field) else dataclasses.field(default=default)
        if one.default.__class__.__hash__ is None:
            raise ValueError(
                f"mutable default {type(one.default)} for field {name} is not allowed: use default_factory"
            )
        one.name, one.type, one._field_type = name, hint, mark._field_type  # noqa: SLF001
        one.kw_only = kw_only if one.kw_only is _ABSENT else one.kw_only
        yield one


def _members(fields: dict[str, dataclasses.Field[Any]]) -> dict[str, Any]:
    """What every class has."""
    shown = tuple(one.name for one in fields.values() if one.repr)

    def as_text(self: object) -> str:
        inside = ", ".join([f"{name}={getattr(self, name)!r}" for name in shown])
        return f"{type(self).__qualname__}({inside})"

    return {
        "__dataclass_fields__": fields,
        "__dataclass_params__": _Sample.__dataclass_params__,  # type: ignore[attr-defined]
        "__match_args__": tuple(one.name for one in fields.values() if one.init and not one.kw_only),
        "__init__": _Later("__init__", _init, _FEW),
        "__repr__": as_text,
        "__setattr__": _not_set,
        "__delattr__": _not_deleted,
    }


def _not_set(_: object, name: str, __: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _not_deleted(_: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _comparing() -> dict[str, Any]:
    """Equality and hash."""
    return {"__eq__": _Later("__eq__", _eq), "__hash__": _Later("__hash__", _hash)}


def _kept_in_pickles(fields: dict[str, dataclasses.Field[Any]]) -> dict[str, Any]:
    """How objects without a `__dict__` are copied and pickled."""
    names = list(fields)

    def state(self: object) -> list[object]:
        return [getattr(self, name) for name in names]

    def restored(self: object, state: list[object]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": state, "__setstate__": restored}


def _slotted(cls: type[Any], fields: dict[str, dataclasses.Field[Any]], added: dict[str, Any]) -> type[Any]:
    """The class again, with a slot for each field that no base has."""
    above: set[str] = set()
    for base in cls.__mro__[1:-1]:
        slots = base.__dict__.get("__slots__", ())
        above.update((slots,) if isinstance(slots, str) else slots)
    left = {"__dict__", "__weakref__", *fields}
    inside = {key: value for key, value in cls.__dict__.items() if key not in left}
    inside |= {"__slots__": tuple(name for name in fields if name not in above), **added}
    kind: Callable[..., type[Any]] = type(cls)
    made = kind(cls.__name__, cls.__bases__, inside)
    made.__qualname__ = cls.__qualname__
    return made


def _extended(cls: type[Any], own: dict[str, dataclasses.Field[Any]], added: dict[str, Any]) -> type[Any]:
    """The class itself; a field is no attribute of it unless it has a default."""
    for name, one in own.items():
        if one.default is not _ABSENT:
            setattr(cls, name, one.default)
        elif name in cls.__dict__:
            delattr(cls, name)
    for key, member in added.items():
        setattr(cls, key, member)
    return update_abstractmethods(cls)


def _compiled(cls: type[Any], name: str, source: _Source) -> Any:
    """A method of a class."""
    parameters, lines, known, hints = source
    body = "\n  ".join(lines or ["pass"])
    text = f"def _make({', '.join(known)}):\n def {name}(self{parameters}):\n  {body}\n return {name}"
    inside: dict[str, Any] = {}
    exec(text, vars(sys.modules[cls.__module__]), inside)  # noqa: S102  names of fields, from the source of the class
    made = inside["_make"](**known)
    made.__qualname__, made.__annotations__ = f"{cls.__qualname__}.{name}", hints
    return made


def _init(cls: type[Any]) -> _Source:
    """It sets the fields of a new object in their order, and then calls `__post_init__`, if any."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_factory": _FACTORY}
    taken, by_name, lines, hints = list[str](), list[str](), list[str](), dict[str, Any]()
    for one in cls.__dataclass_fields__.values():
        value, parameter = _value_and_parameter(one, known)
        if value is not None:
            lines.append(f"_set(self, {one.name!r}, {value})")
        if one.init:
            (by_name if one.kw_only else taken).append(f", {parameter}")
            hints[one.name] = one.type
    lines += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    return "".join([*taken, *([", *", *by_name] if by_name else [])]), lines, known, {**hints, "return": None}


def _eq(cls: type[Any]) -> _Source:
    """Objects of one class are equal if the fields are that are compared."""
    names = [one.name for one in dataclasses.fields(cls) if one.compare]
    values = [f"({''.join(f'{thing}.{name}, ' for name in names)})" for thing in ("self", "other")]
    is_alike = "other.__class__ is self.__class__"
    return ", other", [f"return {values[0]} == {values[1]} if {is_alike} else NotImplemented"], {}, {}


def _hash(cls: type[Any]) -> _Source:
    """The hash of the values of the fields that are compared, or say that they are hashed."""
    names = [one.name for one in dataclasses.fields(cls) if (one.compare if one.hash is None else one.hash)]
    return "", [f"return hash(({''.join(f'self.{name}, ' for name in names)}))"], {}, {}


def _value_and_parameter(one: dataclasses.Field[Any], known: dict[str, Any]) -> tuple[str | None, str]:
    """What a field is set to (None: it is left alone) and its parameter; `known` gets the defaults that they name."""
    name, default = one.name, f"_default_{one.name}"
    if one.default_factory is not _ABSENT:
        known[default] = one.default_factory
        return (f"{default}() if {name} is _factory else {name}" if one.init else f"{default}()"), f"{name}=_factory"
    if one.default is not _ABSENT:
        known[default] = one.default
        return (name if one.init else default), f"{name}={default}"
    return (name if one.init else None), name
