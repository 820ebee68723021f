"""How is a hierarchy declared in a plan, and said in a few words?

The forms, as inline tables of TOML::

    { file = "age.csv" }                                  also: delimiter, encoding, match
    { width = 5, then = [10, 20] }                        also: start, from, to (open ends)
    { intervals = [[0, 18, 65, 120], [0, 65, 120]] }      also: below, above (open ends)
    { intervals = [[{ from = 0, to = 18, label = "minor" }, { from = 18 }]] }
    { bins = 20, from = 0, to = 0.001 }                   intervals of equal width
    { dates = ["month", "quarter", "year"] }
    { mask = "right" }                                    also: width, pad, character, steps
    { groups = [["a", "b"], ["c"]] }                      also: match; groups may hold groups
    { groups = [{ label = "low", members = ["a", "b"] }, "c"] }
    { tree = { Married = ["spouse", "AF-spouse"], Widowed = [] } }      also: match
    { balanced = 2 }
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import ParameterError, PlanError
from sfumato.table.hierarchy.balanced import Balanced
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.dates import Dates, Unit
from sfumato.table.hierarchy.edges import equal_edges, exact, spell_number
from sfumato.table.hierarchy.groups import Group, Groups, Member
from sfumato.table.hierarchy.intervals import Interval, Intervals, from_edges
from sfumato.table.hierarchy.keys import Keys
from sfumato.table.hierarchy.masking import Masking
from sfumato.table.hierarchy.match import Match
from sfumato.table.hierarchy.widths import FixedWidths

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.table.schema import HierarchySpec

Reader: TypeAlias = "Callable[[Keys, Path], HierarchySpec]"


def spec_from(column: str, mapping: Mapping[str, object], *, folder: Path) -> HierarchySpec:
    """Read the declaration of a hierarchy.

    Args:
        column: name of the column, for messages.
        mapping: the inline table.
        folder: what the path of a file is relative to.

    Raises:
        PlanError: no form or two, an unknown key, a value of the wrong type or out of range.

    Example:
        >>> from pathlib import Path
        >>> describe(spec_from("age", {"width": 5, "then": [10, 20]}, folder=Path()))
        'intervals of 5, then 10, 20'
    """
    form = next((name for name in _READERS if name in mapping), None)
    if form is None:
        raise PlanError(
            "The hierarchy of {column!r} must be of a known form; got the keys {mapping}.",
            "use one of {readers}.",
            column=column,
            mapping=sorted(mapping),
            readers=sorted(_READERS),
        )
    keys = Keys(column, form, mapping)
    try:
        spec = _READERS[form](keys, folder)
    except ParameterError as error:
        raise PlanError.of(error, "The hierarchy of {on!r}: ", on=column) from error
    keys.finish()
    return spec


def spec_to(spec: HierarchySpec) -> dict[str, object]:
    """The declaration as an inline table; `spec_from` gives an equal hierarchy back.

    Raises:
        PlanError: the hierarchy was made in Python and has no form in a plan. Remedy: write it to a
            file with `to_csv`.

    Example:
        >>> spec_to(FixedWidths(5, (10, 20)))
        {'width': 5, 'then': [10, 20]}
    """
    items: dict[str, object] = {}
    match spec:
        case CsvFile():
            items = {"file": str(spec.path), "delimiter": spec.delimiter, "encoding": spec.encoding}
            items["match"] = _match_to(spec.match)
        case FixedWidths():
            items = {"width": spec.width, "then": list(spec.then) or None, "start": spec.start or None}
            items |= {"from": spec.low, "to": spec.high}
        case Intervals():
            items = {"intervals": [[_interval_to(interval) for interval in level] for level in spec.levels]}
        case Dates():
            items = {"dates": [unit.value for unit in spec.units]}
        case Masking():
            items = {"mask": spec.side, "width": spec.width, "pad": spec.pad}
            items["character"] = None if spec.mask == "*" else spec.mask
            items["steps"] = None if spec.steps is None else list(spec.steps)
        case Groups():
            items = {"groups": [_member_to(member) for member in spec.members], "match": _match_to(spec.match)}
        case Balanced():
            items = {"balanced": spec.fanout}
        case _:
            raise PlanError(
                "A hierarchy of type {kind!r} has no form in a plan.",
                'write it to a file with `to_csv` and declare `{{ file = "…" }}`.',
                kind=type(spec).__name__,
            )
    return _given(items)


def describe(spec: HierarchySpec) -> str:
    """The hierarchy in a few words, without values of the table.

    Example:
        >>> describe(Dates((Unit.MONTH, Unit.YEAR))), describe(Masking("right")), describe(Balanced(2))
        ('dates by month, then year', 'characters hidden from the right', 'made by frequency, 2 to 1 at each level')
    """
    match spec:
        case CsvFile():
            words = f"file {spec.path.name}"
        case FixedWidths():
            words = "intervals of " + _chain([spell_number(exact(width)) for width in (spec.width, *spec.then)])
        case Intervals():
            words = "declared intervals: " + _chain([str(len(level)) for level in spec.levels])
        case Dates():
            words = "dates by " + _chain([unit.value for unit in spec.units])
        case Masking():
            words = f"characters hidden from the {spec.side}"
        case Groups():
            words = f"declared groups: {len(spec.members)} below the root"
        case Balanced():
            words = f"made by frequency, {spec.fanout} to 1 at each level"
        case _:
            words = type(spec).__name__
    return words


def _file(keys: Keys, folder: Path) -> CsvFile:
    path = folder / keys.text("file")
    return CsvFile(path, keys.maybe_text("delimiter"), keys.maybe_text("encoding"), keys.choice("match", Match.EXACT))


def _widths(keys: Keys, _: Path) -> FixedWidths:
    start = keys.maybe_number("start")
    ends = keys.maybe_number("from"), keys.maybe_number("to")
    return FixedWidths(keys.number("width"), tuple(keys.numbers("then")), start or 0, *ends)


def _intervals(keys: Keys, _: Path) -> Intervals:
    below, above = keys.flag("below"), keys.flag("above")
    levels = keys.lists("intervals")
    if all(isinstance(item, Mapping) for level in levels for item in level):
        if below or above:
            raise keys.wrong("below", "used with edges only; leave out `from` or `to` of an interval instead")
        return Intervals(tuple(tuple(_interval(keys, item) for item in level) for level in levels))
    return from_edges([[keys.edge(item) for item in level] for level in levels], below=below, above=above)


def _interval(keys: Keys, item: object) -> Interval:
    inner = keys.inner("intervals", item)
    interval = Interval(inner.maybe_edge("from"), inner.maybe_edge("to"), inner.maybe_text("label"))
    inner.finish()
    return interval


def _bins(keys: Keys, _: Path) -> Intervals:
    edges = equal_edges(keys.number("from"), keys.number("to"), keys.whole("bins"))
    exact = [int(edge) if edge == int(edge) else float(edge) for edge in edges]
    return from_edges([exact], below=keys.flag("below"), above=keys.flag("above"))


def _dates(keys: Keys, _: Path) -> Dates:
    return Dates(tuple(keys.choices("dates", Unit)))


def _mask(keys: Keys, _: Path) -> Masking:
    side = keys.text("mask")
    if side not in {"right", "left"}:
        raise keys.wrong("mask", '"right" or "left"')
    steps = keys.wholes("steps")
    hidden = keys.maybe_text("character")
    return Masking(
        "right" if side == "right" else "left",
        keys.maybe_whole("width"),
        keys.maybe_text("pad"),
        "*" if hidden is None else hidden,
        None if steps is None else tuple(steps),
    )


def _groups(keys: Keys, _: Path) -> Groups:
    members = tuple(_member(keys, item) for item in keys.items("groups"))
    return Groups(members, keys.choice("match", Match.EXACT))


def _member(keys: Keys, item: object) -> Member:
    """A value, a list of members, or a table with `label` and `members`."""
    if isinstance(item, str):
        return item
    if isinstance(item, list | tuple):
        return Group(tuple(_member(keys, inner) for inner in item))
    named = keys.inner("groups", item)
    label, members = named.text("label"), named.items("members")
    named.finish()
    return Group(tuple(_member(keys, inner) for inner in members), label)


def _tree(keys: Keys, _: Path) -> Groups:
    return Groups(_branches(keys, keys.table("tree")), keys.choice("match", Match.EXACT))


def _branches(keys: Keys, item: object) -> tuple[Member, ...]:
    """The members of a table or list of a tree; an empty one is a value by itself."""
    if isinstance(item, str):
        return (item,)
    if isinstance(item, list | tuple):
        return tuple(member for inner in item for member in _branches(keys, inner))
    if not isinstance(item, Mapping):
        raise keys.wrong("tree", "tables and lists of texts")
    return tuple(Group(_branches(keys, inner), str(label)) if inner else str(label) for label, inner in item.items())


_READERS: Mapping[str, Reader] = {
    "file": _file,
    "intervals": _intervals,
    "bins": _bins,
    "dates": _dates,
    "mask": _mask,
    "groups": _groups,
    "tree": _tree,
    "balanced": lambda keys, _: Balanced(keys.whole("balanced")),
    "width": _widths,
}
"""Readers by the key that tells the form; `width` is last because `mask` has a key of that name."""


def _interval_to(interval: Interval) -> dict[str, object]:
    """One interval as an inline table."""
    return _given({"from": interval.low, "to": interval.high, "label": interval.label})


def _member_to(member: Member) -> object:
    """A value, a list, or a table with `label` and `members`."""
    if isinstance(member, str):
        return member
    members = [_member_to(inner) for inner in member.members]
    return members if member.label is None else {"label": member.label, "members": members}


def _match_to(match: Match) -> str | None:
    """The rule, unless it is the usual one."""
    return None if match is Match.EXACT else match.value


def _given(items: Mapping[str, object]) -> dict[str, object]:
    """The items that say something."""
    return {key: value for key, value in items.items() if value is not None}


def _chain(words: Sequence[str]) -> str:
    """A first word, then the others."""
    return words[0] + (", then " + ", ".join(words[1:]) if len(words) > 1 else "")
