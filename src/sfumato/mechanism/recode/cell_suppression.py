"""Suppression of single cells, and of as few of them as possible."""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING, assert_never

import numpy as np

from sfumato.errors import NoSolution, ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.decision import Decision, Limits, Search, silent
from sfumato.mechanism.recode.local_recoding import LocalRecoding
from sfumato.mechanism.recode.partition.axes import Publish
from sfumato.mechanism.recode.partition.splits import Watch
from sfumato.mechanism.recode.wildcard import suppress_cells
from sfumato.recipe.steps import Assign, Splits
from sfumato.summary.classes import Classes, distinct_rows, merge
from sfumato.table.hierarchy.tree import ROOT, Hierarchy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.mechanism.recode.wildcard import Masked
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


class SuppressedCell(Enum):
    """What a reader takes a suppressed cell for."""

    OWN_VALUE = "own value"
    """A value like any other: `*` equals `*` only. Classes are what a group-by on the release shows."""
    WILDCARD = "wildcard"
    """Any value: a row is safe when k rows match it. Weaker: an unsuppressed row may stay unique."""


@dataclass(frozen=True, slots=True)
class CellSuppression:
    """Replace single cells by `*` until the criteria hold; the other cells stay as they are.

    As OWN_VALUE this is local recoding along hierarchies of one level: every set of attributes is
    visited by rising cost, and groups that satisfy the criteria once it is suppressed are taken.
    As WILDCARD see `wildcard`: only k-anonymity is defined for it, rows must be persons, and its
    promise is about matching rows; the classes in the decision are those of equal labels, which
    may be smaller than k.

    Args:
        criteria: all that is promised.
        suppressed: what a suppressed cell is taken for.
        importance: cost > 0 of a suppressed cell of each attribute; (): the columns' weights.
        limits: seconds, and level sets tried (OWN_VALUE).
        clock: seconds now; required with a limit in seconds.
        progress: called now and then; may raise `Interrupted`.

    Source:
        The task: sdcMicro's local suppression (M. Templ, A. Kowarik, B. Meindl, JSS 67(4), 2015,
        section 4.2); the search is ours.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> names = ("town", "job")
        >>> columns = [bind(Column(n, Role.QUASI_IDENTIFYING), ["a", "b"]) for n in names]
        >>> finest = Classes(np.array([[0, 0], [0, 1]]), rows=np.array([1, 1]), alone=np.array([1, 1]))
        >>> CellSuppression((KAnonymity(2),)).decide(finest, columns).step.labels
        (('a',), ('*',))
    """

    criteria: tuple[Criterion | TableCriterion, ...]
    suppressed: SuppressedCell = SuppressedCell.OWN_VALUE
    importance: tuple[float, ...] = ()
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] | None = None
    progress: Progress = silent

    def __post_init__(self) -> None:
        if any(not cost > 0 for cost in self.importance):
            raise ParameterError(
                "`importance` must be numbers above 0; got {importance}.",
                "use a small number for cells that may go first, a large one for those that should stay.",
                importance=list(self.importance),
            )

    def decide(self, finest: Classes, attributes: Sequence[Attribute]) -> Decision:
        """Choose the cells.

        Raises:
            NoSolution: the criteria fail even with every cell suppressed.
            ParameterError: `importance` does not fit the attributes, or WILDCARD with other criteria
                than k-anonymity or with persons of several rows.
            Interrupted: `progress` raised it.
        """
        costs = self._costs(attributes)
        match self.suppressed:
            case SuppressedCell.OWN_VALUE:
                return self._own_value(finest, attributes, costs)
            case SuppressedCell.WILDCARD:
                return self._wildcard(finest, attributes, costs)
            case _:
                assert_never(self.suppressed)

    def _costs(self, attributes: Sequence[Attribute]) -> tuple[float, ...]:
        costs = self.importance or tuple(a.column.weight for a in attributes)
        if len(costs) != len(attributes) or any(not cost > 0 for cost in costs):
            raise ParameterError(
                "`importance` must have one number above 0 for each of {n_attributes} quasi-identifiers; "
                "got {n_importance}, or a column's weight is 0.",
                "list one cost per quasi-identifier, in the order of the table.",
                n_attributes=len(attributes),
                n_importance=len(self.importance),
            )
        return costs

    def _own_value(self, finest: Classes, attributes: Sequence[Attribute], costs: tuple[float, ...]) -> Decision:
        """Local recoding with the hierarchies: value, `*`."""
        flat = [_flat(a, cost) for a, cost in zip(attributes, costs, strict=True)]
        method = LocalRecoding(self.criteria, Publish.NODES, self.limits, self.clock, self.progress)
        made = method.decide(finest, flat)
        if not isinstance(made.step, Assign):
            return made
        cells = sum(
            int(made.published.rows[np.array([label == ROOT for label in labels], bool)].sum())
            for labels in made.step.labels
        )
        statement = (
            f"{cells} cells are suppressed; a suppressed cell counts as a value of its own. Sets of attributes were "
            f"tried by rising cost ({made.search.checked} sets and cuts); fewer cells may be possible."
        )
        step = replace(made.step, attributes=tuple(attributes))
        return replace(made, step=step, search=replace(made.search, statement=statement))

    def _wildcard(self, finest: Classes, attributes: Sequence[Attribute], costs: tuple[float, ...]) -> Decision:
        """Suppress until every row matches k rows."""
        k = self._check_wildcard(finest)
        if 0 < int(finest.rows.sum()) < k:
            raise NoSolution("{k} matching rows need as many rows; the table has fewer.", "choose a smaller k.", k=k)
        watch = Watch(self.limits, self.clock, self.progress)
        groups = suppress_cells(finest.codes, finest.rows, k, np.array(costs), watch)
        cells = [groups.n_cells(j) for j in range(len(attributes))]
        statement = (
            f"{sum(cells)} cells are suppressed; a suppressed cell counts as any value, so that every row matches "
            f"{k} rows. Greedy: fewer cells may be possible."
        )
        loss = float(np.dot(cells, costs) / (sum(costs) * max(finest.n_rows, 1)))
        search = Search(lattice_size=None, checked=watch.checked, optimal=False, statement=statement)
        return _masked_decision(finest, attributes, groups, loss, search)

    def _check_wildcard(self, finest: Classes) -> int:
        """The k to reach; rows must be persons."""
        ks = [c.k for c in self.criteria if isinstance(c, KAnonymity)]
        rows_are_persons = finest.spread is None and np.array_equal(finest.rows, finest.alone)
        if len(ks) < len(self.criteria) or not ks or not rows_are_persons:
            raise ParameterError(
                "Suppressed cells as wildcards are defined for k-anonymity of rows; other criteria, or persons with "
                "several rows, were given.",
                "count suppressed cells as values of their own, or ask for k-anonymity only.",
            )
        return max(ks)


def _flat(attribute: Attribute, cost: float) -> Attribute:
    """The attribute with no level between its values and `*`."""
    tree = Hierarchy.flat(attribute.name, attribute.hierarchy.labels[0])
    return replace(attribute, column=replace(attribute.column, weight=cost), hierarchy=tree)


def _masked_decision(
    finest: Classes, attributes: Sequence[Attribute], groups: Masked, loss: float, search: Search
) -> Decision:
    """The outcome of suppressing cells: classes of equal labels, and how rows of a tuple are parted."""
    codes = finest.codes[groups.origin] + 1
    hidden = (groups.mask[:, None] >> np.arange(len(attributes)) & 1) == 1
    distinct, member = distinct_rows(np.where(hidden, 0, codes))
    pieces = Classes(codes, rows=groups.rows, alone=groups.rows)
    labels = tuple(
        tuple(ROOT if c == 0 else a.hierarchy.labels[0][c - 1] for c in distinct[:, j].tolist())
        for j, a in enumerate(attributes)
    )
    whole, splits = _splits(groups, member, finest.n_classes)
    step = Assign(tuple(attributes), finest.codes, whole, labels, splits)
    return Decision((), step, merge(pieces, member, distinct), 0, None, loss, search)


def _splits(groups: Masked, member: IntArray, n_tuples: int) -> tuple[IntArray, Splits | None]:
    """The class of tuples that stay whole, and how the rows of the others are parted."""
    whole = np.zeros(n_tuples, np.int64)
    whole[groups.origin] = member
    several = np.bincount(groups.origin, minlength=n_tuples)[groups.origin] > 1
    if not several.any():
        return whole, None
    order = np.flatnonzero(several)[np.argsort(groups.origin[several], kind="stable")]
    return whole, Splits(groups.origin[order], groups.rows[order], member[order])
