"""Classes from what the publisher may see: tuples of quasi-identifiers with their numbers, and what persons ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution, PlanError, ReportError
from sfumato.frozen import dataclass
from sfumato.recipe.steps import Assign
from sfumato.release.binding import in_order
from sfumato.release.method.registry import method_named
from sfumato.release.reread import check
from sfumato.summary.classes import Classes, distinct_rows, roll_up
from sfumato.table.attribute import bind
from sfumato.together.joining import halved, labels_of
from sfumato.together.judging import counted_by
from sfumato.together.wire import unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.recode.decision import Decision
    from sfumato.release.tools import Tools
    from sfumato.summary.histogram import Histogram
    from sfumato.table.attribute import Attribute
    from sfumato.together.terms import Terms
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Valued:
    """How often each value of a sensitive column stands in each tuple, where the publisher sees it.

    Args:
        column: its name.
        values: distinct texts, None for a missing cell.
        table: (t, values) int64 rows.
    """

    column: str
    values: tuple[str | None, ...]
    table: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What one holder lets the publisher see.

    Args:
        values: distinct texts of each quasi-identifier, None for a missing cell.
        tuples: (t, m + 1) int64 distinct tuples of places in `values`, and in the last column the own k of their persons.
        counts: (t,) int64 rows of each.
        valued: sensitive values in each tuple; (): not seen.
    """

    values: tuple[tuple[str | None, ...], ...]
    tuples: IntArray
    counts: IntArray
    valued: tuple[Valued, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Constructed:
    """The classes.

    Args:
        labels: for each quasi-identifier the text of each class, None: missing.
        member: for each holder (t,) int64 class of each of its tuples; -1: its rows are left out.
        sizes: (n,) int64 rows of each class.
        unmet: rows that are left out because their persons ask for more than can be met.
        left_out: rows that the method suppresses.
        met: the largest k that can be met; who asks for more is left out.
    """

    labels: tuple[tuple[str | None, ...], ...]
    member: tuple[IntArray, ...]
    sizes: IntArray
    unmet: int
    left_out: int
    met: int


def construct(
    terms: Terms, seen: Sequence[Seen], tools: Tools, attributes: Sequence[Attribute] | None = None
) -> Constructed:
    """The classes of all rows together, by the method of the plan.

    Promises about sensitive values steer it where their counts are seen (of one holder, or of all in a sum); else they play
    no part.

    Args:
        terms: what is agreed on.
        seen: of each holder.
        tools: chance and clock of the method.
        attributes: the quasi-identifiers bound to declared values; None: to those that are seen.

    Raises:
        NoSolution: the method finds none.
    """
    attributes = attributes or bound_to(terms, seen)
    codes = np.concatenate([_coded(one, attributes) for one in seen])
    asked = np.concatenate([one.tuples[:, -1] for one in seen])
    counts = np.concatenate([one.counts for one in seen])
    met = most_asked(asked, counts)
    kept = asked <= met
    if not kept.any():
        raise NoSolution("Somebody must ask for no more than can be met; nobody does.", "ask for less.")
    classes, of = _classes(terms, codes[kept], asked[kept], counts[kept])
    valued = [one for each in seen for one in each.valued]
    promises = (*terms.sized, *terms.judged) if valued else terms.sized
    classes = replace(classes, histograms=tuple(_histogram(terms, one, kept, of, classes.n_classes) for one in valued))
    plan = replace(terms.plan, promises=promises)
    with_options = method_named(plan.method.name).build(plan, tools)
    decision = with_options.mechanism.decide(classes, attributes)
    check(decision.published, promises)
    member, labels = assigned(decision, classes, attributes)
    if terms.joins:
        order = halved(member, classes.codes, attributes)
        member, labels = np.argsort(order)[member], tuple(tuple(one[i] for i in order.tolist()) for one in labels)
    whole = np.full(len(codes), -1, np.int64)
    whole[kept] = member[of]
    sizes = np.bincount(whole[whole >= 0], counts[whole >= 0], len(labels[0])).astype(np.int64)
    ends = np.cumsum([len(one.tuples) for one in seen])[:-1]
    unmet, left_out = int(counts[~kept].sum()), int(counts[kept].sum() - sizes.sum())
    return Constructed(labels, tuple(np.split(whole, ends)), sizes, unmet, left_out, met)


def bound_to(terms: Terms, seen: Sequence[Seen]) -> list[Attribute]:
    """The quasi-identifiers, bound to the values that some holder has."""
    return [
        bind(column, in_order(tuple({value for one in seen for value in one.values[j]})))
        for j, column in enumerate(terms.plan.schema.quasi_identifiers)
    ]


def joined_labels(
    terms: Terms, seen: Sequence[Seen], member: Sequence[IntArray], into: IntArray, tools: Tools
) -> tuple[tuple[str | None, ...], ...]:
    """For each quasi-identifier the text of each class, once classes were joined; None for those that are not published.

    Args:
        terms: what is agreed on.
        seen: of each holder.
        member: for each holder (t,) int64 class of each of its tuples, -1: none.
        into: (n_classes,) int64 the class that each is joined with, its own number where with none; -1: not published.
        tools: of the method.
    """
    attributes = bound_to(terms, seen)
    codes = np.concatenate([_coded(one, attributes) for one in seen])
    whole = np.concatenate(member)
    there = whole >= 0
    there[there] = into[whole[there]] >= 0
    used, of = np.unique(into[whole[there]], return_inverse=True)
    publish = method_named(terms.plan.method.name).build(terms.plan, tools).mechanism.publish
    found = labels_of(of, codes[there], attributes, publish)
    place = np.searchsorted(used, into)
    return tuple(
        tuple(column[i] if at >= 0 else None for at, i in zip(into.tolist(), place.tolist(), strict=True))
        for column in found
    )


def most_asked(asked: IntArray, counts: IntArray) -> int:
    """The largest k that can be met: that of persons of whom, with all who ask for less, there are as many.

    Who asks for more is left out, and does not count for others.

    Args:
        asked: (n,) own k; 0: asks for none.
        counts: (n,) persons who ask so.

    Example:
        >>> most_asked(np.array([2, 2, 5]), np.array([1, 1, 1])), most_asked(np.array([0, 4]), np.array([3, 1]))
        (2, 4)
    """
    asks, of = np.unique(asked, return_inverse=True)
    persons = np.cumsum(np.bincount(of, weights=counts, minlength=len(asks)))
    fine = np.flatnonzero(persons >= asks)
    return int(asks[fine[-1]]) if len(fine) else -1


def assigned(
    decision: Decision, finest: Classes, attributes: Sequence[Attribute]
) -> tuple[IntArray, tuple[tuple[str | None, ...], ...]]:
    """(n_fine,) int64 class of each tuple, -1 for suppressed ones; and for each attribute the label of each class.

    Raises:
        PlanError: rows of one tuple go to several classes. Remedy: another method.
    """
    step = decision.step
    if isinstance(step, Assign):
        if step.splits is not None:
            raise PlanError(
                "All rows of one tuple must go to one class; this method parts them.", "choose another method."
            ).below("method")
        return step.member, tuple(map(tuple, step.labels))
    levels = decision.levels or (0,) * len(attributes)
    coarse, of = roll_up(finest, attributes, levels)
    gone = np.zeros(coarse.n_classes, np.bool_)
    if step is not None:
        _, both = distinct_rows(np.concatenate((coarse.codes, step.codes)))
        gone = np.isin(both[: coarse.n_classes], both[coarse.n_classes :])
    number = np.where(gone, -1, np.cumsum(~gone) - 1)
    labels = tuple(
        tuple(attribute.hierarchy.labels[level][code] for code in coarse.codes[~gone, j].tolist())
        for j, (attribute, level) in enumerate(zip(attributes, levels, strict=True))
    )
    return number[of], labels


def _coded(one: Seen, attributes: Sequence[Attribute]) -> IntArray:
    """(t, m) codes of a holder's tuples among all values."""
    out = np.empty((len(one.tuples), len(attributes)), np.int64)
    for j, attribute in enumerate(attributes):
        place = {value: i for i, value in enumerate(attribute.hierarchy.labels[0])}
        out[:, j] = np.array([place[value] for value in one.values[j]], np.int64)[one.tuples[:, j]]
    return out


def _classes(terms: Terms, codes: IntArray, asked: IntArray, counts: IntArray) -> tuple[Classes, IntArray]:
    """The distinct tuples with their rows and the largest k asked for, and which one each is."""
    distinct, of = distinct_rows(codes)
    rows = np.bincount(of, counts, len(distinct)).astype(np.int64)
    personal = None
    if terms.plan.personal_k is not None:
        personal = np.zeros(len(distinct), np.int64)
        np.maximum.at(personal, of, asked)
    return Classes(distinct, rows=rows, alone=rows, personal_k=personal), of


def _histogram(terms: Terms, one: Valued, kept: BoolArray, of: IntArray, n: int) -> Histogram:
    """The values of a sensitive column in each of n distinct tuples, of the tuples that are kept."""
    table = np.zeros((n, len(one.values)), np.int64)
    np.add.at(table, of, one.table[kept])
    return counted_by(terms.plan.schema[one.column], one.values, table)


def coded_labels(labels: Sequence[Sequence[str | None]]) -> tuple[list[list[str | None]], np.ndarray]:
    """Distinct labels of each column, and (n, m) int32 the place of each class's."""
    distinct = [list(dict.fromkeys(column)) for column in labels]
    places = [{label: i for i, label in enumerate(column)} for column in distinct]
    codes = [[place[label] for label in column] for place, column in zip(places, labels, strict=True)]
    return distinct, np.array(codes, np.int32).reshape(len(labels), -1).T


def seen_in(body: bytes) -> Seen:
    """What a holder lets the publisher see.

    Raises:
        ReportError: it is not of this form.
    """
    said, arrays = unpacked(body)
    try:
        values = tuple(tuple(column) for column in said["values"])
        tuples, counts = arrays["tuples"].astype(np.int64), arrays["counts"].astype(np.int64)
        fits = tuples.shape == (len(counts), len(values) + 1) and counts.ndim == 1 and bool((counts > 0).all())
        within = all(tuples[:, j].min() >= 0 and tuples[:, j].max() < len(column) for j, column in enumerate(values))
        texts = all(value is None or isinstance(value, str) for column in values for value in column)
        if fits and within and texts and tuples[:, -1].min() >= 0:
            return Seen(values, tuples, counts)
    except (KeyError, TypeError, ValueError, IndexError):
        pass
    raise ReportError("Tuples must be places in lists of texts, each with its number; some are not.", "send others.")
