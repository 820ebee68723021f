"""Values grouped by hand: lists of values, lists of lists, or a tree with names.

A group without a name is published as the set of its values, `{Divorced, Widowed}`. Where one branch
is deeper than another, the shorter one repeats its last label upwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import AmbiguousHierarchy, ParameterError
from sfumato.frozen import dataclass
from sfumato.table.hierarchy.match import Match, match_values
from sfumato.table.hierarchy.tree import ROOT, Hierarchy
from sfumato.table.label import format_set

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from sfumato.table.schema import Column


@dataclass(frozen=True, slots=True)
class Group:
    """Several values or smaller groups.

    Args:
        members: values and groups, at least one.
        label: what is published; None: the set of all values below.
    """

    members: tuple[Member, ...]
    label: str | None = None

    def __post_init__(self) -> None:
        if not self.members:
            raise ParameterError("A group must have a member; one has none.", "list its values.")


Member: TypeAlias = str | Group


@dataclass(frozen=True, slots=True)
class Groups:
    """A tree given member by member; `*` is above it.

    Args:
        members: groups and values directly below the root, in the order of publication.
        match: when a value of the table and a value of a group mean the same.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> status = Column("status", Role.QUASI_IDENTIFYING)
        >>> spec = Groups((Group(("Divorced", "Widowed")), "Married"))
        >>> spec.build(status, ["Married"]).labels
        (('Divorced', 'Widowed', 'Married'), ('{Divorced, Widowed}', 'Married'), ('*',))
    """

    members: tuple[Member, ...]
    match: Match = Match.EXACT

    def __post_init__(self) -> None:
        if not self.members:
            raise ParameterError("Groups must hold a value; they hold none.", "list the values.")

    @property
    def words(self) -> str:
        """It in a few words, without values of the table."""
        return f"declared groups: {len(self.members)} below the root"

    def build(self, column: Column, values: Sequence[str | None]) -> Hierarchy:
        """Put each value below its groups.

        Raises:
            AmbiguousHierarchy: a value is in two groups, or two groups bear one label.
            ValueNotInHierarchy: the table has a value that no group holds.
            ValueFormMismatch: it is there as another form of the same number.
        """
        paths = [path for member in self.members for path in _paths(member)]
        height = max(map(len, paths))
        padded = {path[0]: (*path, *(path[-1:] * (height - len(path))), ROOT) for path in paths}
        if len(padded) < len(paths):  # the tree refuses it, with counts
            return Hierarchy.from_paths(column.name, [(*path[:1], ROOT) for path in paths])
        _check_labels(column.name, self.members, padded.keys())
        present = [value for value in values if value is not None]
        texts = match_values(column, list(padded), present, self.match)
        return Hierarchy.from_paths(
            column.name, [(text, *_renamed(path, text)) for leaf, path in padded.items() for text in texts[leaf]]
        )


def _check_labels(column: str, members: Sequence[Member], values: Container[str]) -> None:
    """No group bears the label of another, or of a value that is not in it: they would be published as one class."""
    groups = [group for member in members for group in _groups(member)]
    labels = [group.label for group in groups if group.label is not None]
    outside = [g for g in groups if g.label in values and g.label not in {path[0] for path in _paths(g)}]
    taken = len(labels) - len(set(labels)) + len(outside)
    if taken:
        raise AmbiguousHierarchy(
            "Each group in the hierarchy of {column!r} must have a label of its own; {taken} take the label of another "
            "group, or of a value that is not in them.",
            "give different groups different labels, or put the value into the group.",
            column=column,
            taken=taken,
        )


def _groups(member: Member) -> list[Group]:
    return [] if isinstance(member, str) else [member, *(g for inner in member.members for g in _groups(inner))]


def _renamed(path: Sequence[str], text: str) -> list[str]:
    """The ancestors of a leaf that the table spells as `text`; a repeated leaf label follows it."""
    return [text if label == path[0] else label for label in path[1:]]


def _paths(member: Member) -> list[tuple[str, ...]]:
    """From each value below a member up to the member."""
    if isinstance(member, str):
        return [(member,)]
    below = [_paths(inner) for inner in member.members]
    height = max(len(path) for paths in below for path in paths)
    label = member.label
    if label is None:
        label = format_set([path[0] for paths in below for path in paths])
    return [(*path, *(path[-1:] * (height - len(path))), label) for paths in below for path in paths]
