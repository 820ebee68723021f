"""What changed, column by column: distributions before and after, and what was suppressed.

Rare values are merged before they are shown: a bar of one person is a disclosure of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.published import Published
    from sfumato.summary.span import Spans
    from sfumato.types import IntArray

OTHER = "(other)"
"""Where values rarer than the floor are counted."""

MISSING = "(missing)"
"""How a missing cell is shown."""

Bars = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Distribution:
    """A column before and after, as (label, share of the rows) in order of the labels given."""

    before: Bars
    after: Bars


def shares(labels: Sequence[str | None], counts: IntArray, *, floor: int, most: int = 40) -> Bars:
    """Shares of the values of a column, rare ones merged into one bar at the end.

    A value held by fewer than `floor` rows is merged, and values beyond the `most` most frequent ones
    too. If the merged bar would itself hold fewer than `floor` rows, the next rarest value joins it.

    Args:
        labels: n distinct values; None: missing.
        counts: (n,) int64, rows of each.
        floor: least rows that a bar may stand for, >= 1.
        most: most bars beside the merged one, >= 1.

    Returns:
        (label, share) in the order of `labels`, values of no row left out; shares add up to 1.

    Raises:
        ParameterError: floor or most < 1. Remedy: choose the k of the release as the floor.

    Example:
        >>> shares(["a", "b", "c", None], np.array([6, 1, 1, 2]), floor=2)
        (('a', 0.6), ('(missing)', 0.2), ('(other)', 0.2))
    """
    if floor < 1 or most < 1:
        raise ParameterError(
            "`floor` and `most` must be >= 1; got {floor} and {most}.",
            "choose the k of the release as the floor.",
            floor=floor,
            most=most,
        )
    total = int(counts.sum())
    if total == 0:
        return ()
    by_size = np.lexsort((np.arange(len(counts)), -counts))
    shown = by_size[: min(most, int((counts >= floor).sum()))]
    while len(shown) and 0 < total - int(counts[shown].sum()) < floor:
        shown = shown[:-1]
    bars = [(MISSING if labels[i] is None else str(labels[i]), int(counts[i]) / total) for i in sorted(shown.tolist())]
    rest = total - int(counts[shown].sum())
    return (*bars, (OTHER, rest / total)) if rest else tuple(bars)


def distribution(
    before: tuple[Sequence[str | None], IntArray], after: tuple[Sequence[str | None], IntArray], *, floor: int
) -> Distribution:
    """A column before and after; each side by its own labels, since generalization changes them.

    Args:
        before: distinct values of the original column, and the rows of each.
        after: the same of the released column.
        floor: least rows that a bar may stand for, >= 1.

    Example:
        >>> distribution((["17", "18"], np.array([5, 5])), (["< 20"], np.array([10])), floor=5).after
        (('< 20', 1.0),)
    """
    return Distribution(shares(*before, floor=floor), shares(*after, floor=floor))


def released_marginal(published: Published, j: int) -> tuple[tuple[str | None, ...], IntArray]:
    """The labels of released column j and the rows of each, wholly suppressed rows counted as `*`.

    In the order of what they stand for: by their least value, on text as the hierarchy lists it, narrow before wide;
    labels that could not be understood come last.
    """
    order = in_place(published.spans[j])
    labels = tuple(published.labels[j][code] for code in order)
    whole = published.rows_by_label(j)[order]
    if not published.suppressed_rows:
        return labels, whole
    if ROOT not in labels:
        return (*labels, ROOT), np.append(whole, published.suppressed_rows)
    whole[labels.index(ROOT)] += published.suppressed_rows
    return labels, whole


def in_place(spans: Spans) -> IntArray:
    """(n_labels,) int64: the labels of a column in the order of what they stand for.

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> table = release_by_age(["[20, 37]", "17", "> 36"], [1, 1, 1])
        >>> [table.labels[0][code] for code in in_place(table.spans[0])]
        ['17', '[20, 37]', '> 36']
    """
    first, last = np.full(spans.n_labels, spans.domain.n, np.int64), np.full(spans.n_labels, spans.domain.n, np.int64)
    first[spans.owner[::-1]] = spans.start[::-1]
    last[spans.owner] = spans.stop
    return np.lexsort((last, first))


def suppressed_cells(published: Published) -> dict[str, int]:
    """Cells of each quasi-identifier that tell nothing: of suppressed rows, and labels that cover the whole domain.

    A column generalized to its root is suppressed as a whole. A column with one leaf is never counted
    beyond its suppressed rows.
    """
    out = {}
    for j, spans in enumerate(published.spans):
        whole = (spans.n_leaves == spans.domain.n) & (spans.domain.n > 1)
        rows = int(published.classes.rows[whole[published.classes.codes[:, j]]].sum())
        out[published.attributes[j].name] = rows + published.suppressed_rows
    return out
