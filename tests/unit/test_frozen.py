"""Frozen classes behave as those of the standard library, which is their slow twin."""

import copy
import dataclasses
import inspect
import pickle
from abc import ABC, abstractmethod
from dataclasses import FrozenInstanceError, asdict, astuple, field, fields, is_dataclass, replace
from typing import ClassVar, Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.frozen import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Point:
    """Kept by pickles, so it has a name of this module."""

    x: int
    y: tuple[int, ...] = (1, 2)


FIELDS = st.lists(
    st.tuples(
        st.sampled_from(["plain", "default", "factory"]),
        st.fixed_dictionaries({"repr": st.booleans(), "compare": st.booleans(), "hash": st.sampled_from([None, True, False])}),
        st.booleans(),
    ),
    max_size=5,
)  # fmt: skip
"""Of each field: what it has for a default, its options, and whether it is a parameter."""
OPTIONS = st.fixed_dictionaries({"slots": st.booleans(), "eq": st.booleans(), "kw_only": st.booleans()})


def members(described):
    """Annotations and defaults of a class; fields without a default come first."""
    found = {"__annotations__": {}, "__doc__": "A class.", "__module__": __name__, "__qualname__": "Made"}
    for i, (kind, options, is_parameter) in enumerate(sorted(described, key=lambda one: one[0] != "plain")):
        given = {"plain": {}, "default": {"default": i}, "factory": {"default_factory": list}}[kind]
        found["__annotations__"][f"f{i}"] = "int"
        found[f"f{i}"] = field(**given, **options, init=is_parameter or kind == "plain")
    return found


def both(described, **options):
    """The class of the standard library and ours."""
    return [
        declare(frozen=True, **options)(type("Made", (), members(described))) for declare in (dataclasses.dataclass, dataclass)
    ]  # fmt: skip


@given(FIELDS, OPTIONS, st.lists(st.integers(0, 2), min_size=10, max_size=10), st.booleans())
def test_a_class_is_that_of_the_standard_library(described, options, numbers, is_compiled):
    theirs, ours = both(described, **options)
    if is_compiled:  # else the first objects are filled without a compiled `__init__`
        assert inspect.isfunction(ours.__init__)
    assert ours.__match_args__ == theirs.__match_args__
    assert [str(one) for one in fields(ours)] == [str(one) for one in fields(theirs)]
    assert hasattr(ours, "__dict__") == hasattr(theirs, "__dict__")
    assert {key for key in vars(theirs) if key.startswith("__")} - {"__replace__"} <= vars(ours).keys()
    given = [f.name for f in fields(ours) if f.init]
    a, b = (dict(zip(given, part, strict=False)) for part in (numbers[:5], numbers[5:]))
    assert repr(ours(**a)) == repr(theirs(**a))
    assert astuple(ours(**a)) == astuple(theirs(**a))
    assert (ours(**a) == ours(**b)) == (theirs(**a) == theirs(**b))
    assert ours(**a) != theirs(**a)
    if options["eq"]:
        assert outcome(hash, ours(**a)) == outcome(hash, theirs(**a))
    assert asdict(replace(ours(**a), **b)) == asdict(replace(theirs(**a), **b)) if given else True
    assert astuple(copy.copy(ours(**a))) == astuple(ours(**a))
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))


def outcome(do, *arguments, **named):
    """What comes of a call, or its complaint."""
    try:
        return do(*arguments, **named)
    except TypeError as error:
        return str(error)


@given(FIELDS, OPTIONS, st.integers(0, 6))
def test_a_wrong_call_is_told_alike(described, options, n):
    for values, named in (
        (range(n), {}),
        (range(n), {"f0": 1}),
        ((), {f"f{i}": i for i in range(n)}),
        ((), {"other": 1}),
    ):
        theirs, ours = both(described, **options)
        say = [outcome(cls, *values, **named) for cls in (theirs, ours)]
        assert say[0] == say[1] if isinstance(say[0], str) else astuple(say[1]) == astuple(say[0])


def test_a_method_is_compiled_after_a_few_objects():
    @dataclass(frozen=True, slots=True)
    class One:
        x: int
        y: list[int] = field(default_factory=list)

    made = [One(x) for x in range(20)]
    assert ([one.x for one in made], inspect.isfunction(vars(One)["__init__"])) == ([*range(20)], True)
    assert made[0].y is not made[-1].y


@pytest.mark.parametrize("slots", [True, False])
def test_fields_cannot_be_set_or_deleted(slots):
    @dataclass(frozen=True, slots=slots)
    class One:
        x: int

    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        One(1).x = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del One(1).x


def test_objects_are_pickled_and_copied():
    assert pickle.loads(pickle.dumps(Point(3))) == copy.deepcopy(Point(3)) == Point(3, (1, 2))  # noqa: S301


def test_what_a_class_defines_itself_is_kept():
    @dataclass(frozen=True, slots=True)
    class One:  # noqa: PLW1641  the hash is made
        x: int

        def __repr__(self):
            return "one"

        def __eq__(self, other):
            return True

    @dataclass(frozen=True)
    class Two(One):
        y: int = 0

        def __hash__(self):
            return 7

    assert (repr(One(1)), One(1) == 3, hash(One(1))) == ("one", True, hash((1,)))
    assert (repr(Two(1)), hash(Two(1)), Two(1) == Two(1)) == (f"{Two.__qualname__}(x=1, y=0)", 7, True)


@pytest.mark.parametrize("base", [dataclass, dataclasses.dataclass])
@pytest.mark.parametrize("derived", [dataclass, dataclasses.dataclass])
def test_classes_inherit_from_those_of_the_standard_library_and_the_other_way_round(base, derived):
    @base(frozen=True, slots=True)
    class Low:
        x: int
        count: ClassVar[int] = 3

    @derived(frozen=True, slots=True)
    class High(Low):
        y: int = 1

        def __post_init__(self):
            object.__setattr__(self, "y", self.y + 1)

    assert (High(2), High.count, [f.name for f in fields(High)]) == (High(2, 1), 3, ["x", "y"])
    assert (High(2).y, Low(2) == High(2), is_dataclass(High), hasattr(High(2), "__dict__")) == (2, False, True, False)


def test_a_method_that_is_left_out_keeps_a_class_abstract():
    class Base(ABC):
        @abstractmethod
        def name(self): ...

    @dataclass(frozen=True, slots=True)
    class Named(Base, Generic[T]):
        x: T

        def name(self):
            return self.x

    @dataclass(frozen=True)
    class Nameless(Base):
        x: int

    assert Named(3).name() == 3
    with pytest.raises(TypeError, match="abstract"):
        Nameless(3)


def test_a_default_that_can_be_changed_is_refused():
    with pytest.raises(ValueError, match="mutable default"):

        @dataclass(frozen=True)
        class One:
            x: list = []  # noqa: RUF012


def test_a_class_that_is_not_frozen_is_that_of_the_standard_library():
    @dataclass(slots=True)
    class One:
        x: int

    one = One(1)
    one.x = 2
    assert one == One(2)
    assert One.__hash__ is None


def test_a_pattern_matches_by_position():
    match Point(5):
        case Point(x, (_, y)):
            assert (x, y) == (5, 2)
