"""Groups of a hierarchy as somebody moves them: values and groups put into another group, names, and groups made by counts.

A place is the way from the top to a member, by numbers from 0: `0.2` is the third member of the first group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from sfumato.document.codec import write
from sfumato.document.hierarchy_spec import spec_from, table_of
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.studio.leveled import declared, missing_codes
from sfumato.studio.look import counts_of, values_of
from sfumato.table.hierarchy.equal import equal_by_frequency, equal_in_order
from sfumato.table.hierarchy.groups import Group, Groups
from sfumato.table.hierarchy.match import Match
from sfumato.table.label import format_set
from sfumato.table.number import in_order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from sfumato.studio.plan_file import PlanFile
    from sfumato.studio.shelf import Project
    from sfumato.table.hierarchy.groups import Member
    from sfumato.table.values import Item, Table

MOST = 500
"""Values that may be moved by hand; a column of more has a file, or groups made by counts."""
MOST_MADE = 5_000
"""Values of text that may be grouped by counts: all of them stand in the plan then."""
NEW, TOP = "new", ""
"""Where something may be put that is no group yet: into a new one, or into none."""
_FORMS = ("groups", "tree")
Place = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A value, or a group with its members.

    Args:
        place: of it, as text.
        text: the value, or what the group is published as.
        label: the name of a group; "": it is published as the set of its values.
        rows: with the value, or with those of the group.
        members: of a group; (): it is a value.
    """

    place: str
    text: str
    label: str
    rows: int
    members: tuple[Shown, ...] = ()


def groups_of(project: Project, file: PlanFile, column: str, given: Table) -> Groups:
    """The groups that a plan declares; values of the table that are in none stand behind them, each by itself.

    Args:
        project: whose values are kept.
        file: its plan.
        column: of the plan.
        given: the table of its hierarchy; of another form, or {}: no value is in a group.

    Raises:
        PlanError: it declares no groups.
    """
    spec = spec_from(column, given, folder=file.path.parent) if any(form in given for form in _FORMS) else None
    if spec is not None and cast("Groups", spec).match is not Match.EXACT:
        return cast("Groups", spec)
    members = cast("Groups", spec).members if spec else ()
    held, codes = {value for member in members for value in _values(member)}, missing_codes(file, column)
    free = [value for value in values_of(project, column) if value is not None and value not in {*held, *codes}]
    return Groups((*members, *in_order(declared(file, column), free)))


def shown(project: Project, column: str, groups: Groups) -> tuple[Shown, ...]:
    """Groups with the rows of each, as a page shows them."""
    rows = dict(zip(values_of(project, column), counts_of(project, column), strict=False))
    return tuple(_shown(member, (place,), rows) for place, member in enumerate(groups.members))


def _shown(member: Member, place: Place, rows: Mapping[str | None, int]) -> Shown:
    named = ".".join(map(str, place))
    if isinstance(member, str):
        return Shown(named, member, "", rows.get(member, 0))
    inner = tuple(_shown(one, (*place, i), rows) for i, one in enumerate(member.members))
    text = format_set(_values(member)) if member.label is None else member.label
    return Shown(named, text, member.label or "", sum(one.rows for one in inner), inner)


def all_groups(found: tuple[Shown, ...]) -> Iterator[Shown]:
    """Every group, one after the other."""
    for one in found:
        if one.members:
            yield one
            yield from all_groups(one.members)


def placed(text: str) -> Place:
    """A place as a form writes it.

    Raises:
        PlanError: it is none.

    Example:
        >>> placed("0.2")
        (0, 2)
    """
    if not all(part.isdecimal() and part.isascii() and len(part) < 10 for part in text.split(".")):
        raise _absent()
    return tuple(int(part) for part in text.split("."))


def _absent() -> PlanError:
    return PlanError("What is moved must be a value or group of this column.", "choose one of the page.")


def _values(member: Member) -> list[str]:
    """Every value of a member."""
    return [member] if isinstance(member, str) else [value for one in member.members for value in _values(one)]


def _at(members: tuple[Member, ...], place: Place) -> Member:
    """The member at a place."""
    try:
        here = members[place[0]]
    except IndexError:
        raise _absent() from None
    if len(place) == 1:
        return here
    if isinstance(here, str):
        raise _absent()
    return _at(here.members, place[1:])


def moved(groups: Groups, taken: Collection[Place], into: Place | str, label: str = "") -> Groups:
    """Groups after some members were put elsewhere; a group that is left without members goes.

    Args:
        groups: before.
        taken: places of what is moved; what stands in a group that is moved goes with it.
        into: place of a group; `NEW`: a group that is made; `TOP`: no group.
        label: name of a new group; "": it is published as the set of its values.

    Raises:
        PlanError: nothing is moved, a place is none, or a group would be put into itself.

    Example:
        >>> moved(Groups((Group(("a", "b")), "c")), [(1,), (0, 0)], "new", "ac").members
        (Group(members=('b',), label=None), Group(members=('a', 'c'), label='ac'))
    """
    whole = [one for one in sorted(set(taken)) if not any(one[:n] in taken for n in range(1, len(one)))]
    if not whole:
        raise PlanError("A value or a group must be ticked to be moved.", "tick one, or drag it.")
    nodes = tuple(_at(groups.members, one) for one in whole)
    if isinstance(into, tuple):
        if isinstance(_at(groups.members, into), str):
            raise PlanError("Values are moved into a group; this is a value.", "make a new group of both.")
        if any(into[: len(one)] == one for one in whole):
            raise PlanError("A group must not be moved into itself.", "choose another group.")
    left = _without(groups.members, (), frozenset(whole), into if isinstance(into, tuple) else None, nodes)
    if into == NEW:
        left = (*left, Group(nodes, label or None))
    return Groups((*left, *nodes) if into == TOP else left, groups.match)


def _without(
    members: tuple[Member, ...], above: Place, taken: frozenset[Place], into: Place | None, nodes: tuple[Member, ...]
) -> tuple[Member, ...]:
    """Members that stay, with what is put into one of them."""
    out: list[Member] = []
    for number, member in enumerate(members):
        here = (*above, number)
        if here in taken:
            continue
        if isinstance(member, str):
            out.append(member)
            continue
        inner = (*_without(member.members, here, taken, into, nodes), *(nodes if here == into else ()))
        if inner:
            out.append(Group(inner, member.label))
    return tuple(out)


def named(groups: Groups, labels: Mapping[Place, str]) -> Groups:
    """Groups with other names; "": a group is published as the set of its values.

    Example:
        >>> named(Groups((Group(("a", "b")), "c")), {(0,): "ab"}).members[0].label
        'ab'
    """

    def again(member: Member, here: Place) -> Member:
        if isinstance(member, str):
            return member
        inner = tuple(again(one, (*here, number)) for number, one in enumerate(member.members))
        return Group(inner, (labels[here].strip() or None) if here in labels else member.label)

    return Groups(tuple(again(one, (number,)) for number, one in enumerate(groups.members)), groups.match)


def balanced(project: Project, file: PlanFile, column: str, by: str, fanout: int) -> dict[str, Item]:
    """The table of a hierarchy of about equal groups.

    Args:
        project: whose values are kept, with their rows.
        file: its plan.
        column: of the plan.
        by: "order" or "frequency".
        fanout: how many groups become one at each level.

    Raises:
        SfumatoError: the rows of its values are not kept, or there are too many of them, or the fanout is too small.
    """
    values, counts, kind = values_of(project, column), counts_of(project, column), declared(file, column)
    if not counts or (not kind.kind.is_ordered and len(values) > MOST_MADE):
        raise PlanError(
            "Groups of equal counts need the rows of each value, of {most:,} values of text at most.",
            "give the column a file or a mask; a table that was dropped into an older studio is dropped again.", most=MOST_MADE,
        )  # fmt: skip
    codes = missing_codes(file, column)
    held = [None if value in codes else value for value in values]
    rows = np.array(counts, np.int64)
    spec = equal_by_frequency(held, rows, fanout) if by == "frequency" else equal_in_order(kind, held, rows, fanout)
    return write(table_of(spec))
