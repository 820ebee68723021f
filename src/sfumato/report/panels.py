"""The pictures of a report: each function returns SVG text, or None without data."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.language.words import ENGLISH, Words
from sfumato.report.chart.bars import bars, columns
from sfumato.report.chart.curve import curve
from sfumato.report.chart.svg import Series
from sfumato.report.number import Toward, number, share
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sfumato.document.result.release import Distributed, LossAtK, Shares, SizeCounts, SizesOfClasses

MOST = 40
"""Labels drawn in one picture; the rarest others are added up in one bar."""

OTHER = "(other)"
"""What a result calls values that were too rare to be named."""

STAR = "* (any value)"
"""How the root label is written in a picture."""

_STEPS = (1, 2, 5)


def risk_percent(value: float) -> str:
    """A drawn risk, rounded up."""
    return share(value, Toward.UP)


def percent(value: float) -> str:
    """A drawn share of a distribution, rounded to the nearest."""
    return share(value, Toward.NEAREST)


def risk_chart(shares: Sequence[tuple[str, float | None, float | None]], say: Words = ENGLISH) -> str | None:
    """Labels with risks before and after, as paired bars."""
    if not shares:
        return None
    labels, before, after = zip(*shares, strict=True)
    _ = say.gettext
    series = [_series("before", before, _("before")), _series("after", after, _("after"))]
    return bars(labels, series, _("Risks before and after, from 0 to 100 percent."), _("risk"), _in(say, risk_percent))


def class_size_chart(sizes: SizesOfClasses, k: int | None, say: Words = ENGLISH) -> str | None:
    """Share of rows by the size of their class; an edge stands at k where k is promised."""
    states = {name: pairs for name, pairs in (("before", sizes.before), ("after", sizes.after)) if pairs}
    if not states:
        return None
    edges = size_edges(max(size for pairs in states.values() for size, _ in pairs), k)
    n, _ = say.spelled, say.gettext
    names = [n(f"{a:,}") if a == b - 1 else f"{n(f'{a:,}')}–{n(f'{b - 1:,}')}" for a, b in pairwise(edges)]
    series = [_series(name, rows_by_size(pairs, edges), _(name)) for name, pairs in states.items()]
    alt = _("Share of rows by size of their class, {states}.").format(states=_(" and ").join(map(_, states)))
    return bars(names, series, alt, _("share of rows, by size of their class"), _in(say, percent))


def size_edges(largest: int, k: int | None) -> list[int]:
    """Edges 1, 2, 5, 10, 20, 50 … beyond the largest size, and k.

    Example:
        >>> size_edges(30, 3)
        [1, 2, 3, 5, 10, 20, 50]
    """
    edges, power = {k} if k and k <= largest else set(), 1
    while True:
        for step in _STEPS:
            edges.add(step * power)
            if step * power > largest:
                return sorted(edges)
        power *= 10


def rows_by_size(pairs: SizeCounts, edges: Sequence[int]) -> list[float | None]:
    """Share of rows whose class size lies in [edge, next edge).

    Example:
        >>> rows_by_size([[1, 2], [8, 1]], [1, 2, 5, 10])
        [0.2, 0.0, 0.8]
    """
    rows = sum(size * n for size, n in pairs)
    inside = [sum(size * n for size, n in pairs if a <= size < b) for a, b in pairwise(edges)]
    return [n / rows if rows else None for n in inside]


def same_values(states: Distributed) -> bool:
    """Whether a column is published with its own values, apart from suppressed cells."""
    known = {label for label, _ in states.before}
    after = [label for label, _ in states.after if label != ROOT]
    return bool(after) and all(label in known for label in after)


def distribution_charts(name: str, states: Distributed, say: Words = ENGLISH) -> list[tuple[str, str]]:
    """Caption and picture: one of pairs where the values are the same, else one per state."""
    both = {"before": states.before, "after": states.after}
    if same_values(states):
        return [(name, _shares(name, both, say))]
    return [
        (f"{name}, {say.gettext(state)}", _shares(name, {state: pairs}, say)) for state, pairs in both.items() if pairs
    ]


def loss_chart(rows: Sequence[LossAtK], say: Words = ENGLISH) -> str | None:
    """Loss and suppressed share against k."""
    points = [row for _, row in sorted({row.k: row for row in rows if row.k > 0}.items())]
    if len(points) < 2:
        return None
    _ = say.gettext
    series = [
        Series(_("loss"), "after", [p.loss for p in points]),
        Series(_("suppressed share of rows"), "before", [p.suppressed for p in points]),
    ]
    text = _("Loss and suppressed share for k from {first} to {last}; the table holds the figures.")
    alt = text.format(first=points[0].k, last=points[-1].k)
    return curve([p.k for p in points], series, alt, ("k", ""), lambda v: say.spelled(number(v, Toward.UP)))


def suppression_chart(cells: Mapping[str, int], rows: int, say: Words = ENGLISH) -> str | None:
    """Share of suppressed cells of each column."""
    if not cells or not rows or not any(cells.values()):
        return None
    _ = say.gettext
    series = [_series("after", [n / rows for n in cells.values()], _("suppressed cells"))]
    return bars(
        list(cells), series, _("Share of suppressed cells by column."), _("share of rows"), _in(say, risk_percent)
    )


def _series(state: str, values: Sequence[float | None], name: str | None = None) -> Series:
    return Series(name or state, state, values)


def _in(say: Words, spell: Callable[[float], str]) -> Callable[[float], str]:
    """The same spelling in a language."""
    return lambda value: say.spelled(spell(value))


def _shares(name: str, states: Mapping[str, Shares], say: Words) -> str:
    """The values of one column, upright for long runs of numbers, else horizontal."""
    tables = {state: {_label(label, say): part for label, part in pairs} for state, pairs in states.items() if pairs}
    labels = list(dict.fromkeys(label for table in tables.values() for label in table))
    star, _, form = say.gettext(STAR), say.gettext, _in(say, percent)
    labels.sort(key=lambda label: (label == star, label.startswith("(")))
    text = _("Distribution of {name}, {states}, in {n} values.")
    alt = text.format(name=name, states=_(" and ").join(map(_, tables)), n=len(labels))
    numbers = [label for label in labels if label != star and not label.startswith("(")]
    if len(numbers) > MOST // 2 and all(_is_number(label) for label in numbers):
        series = [_series(state, [table.get(label) for label in labels], _(state)) for state, table in tables.items()]
        return columns(labels, series, alt, (name, _("share of rows")), form)
    labels, tables = _fold(labels, tables, say)
    series = [_series(state, [table.get(label) for label in labels], _(state)) for state, table in tables.items()]
    return bars(labels, series, alt, _("share of rows"), form)


def _fold(
    labels: Sequence[str], tables: Mapping[str, dict[str, float]], say: Words
) -> tuple[list[str], dict[str, dict[str, float]]]:
    """Keep the order, but add up the rarest labels beyond MOST in one: in `(other)` where there is one."""
    if len(labels) <= MOST:
        return list(labels), dict(tables)
    other = say.gettext(OTHER)
    weight = {label: max(table.get(label, 0.0) for table in tables.values()) for label in labels if label != other}
    kept = set(sorted(weight, key=lambda label: -weight[label])[: MOST - 1])
    rest = other if other in labels else say.gettext("{n} rarer values").format(n=len(labels) - len(kept))
    folded = {
        state: {label: part for label, part in table.items() if label in kept}
        | {rest: _total(part for label, part in table.items() if label not in kept)}
        for state, table in tables.items()
    }
    return [label for label in labels if label in kept] + [rest], folded


def _total(parts: Iterable[float]) -> float:
    """A sum of shares that does not show the noise of floats."""
    return min(round(sum(parts), 12), 1.0)


def _label(label: str | None, say: Words) -> str:
    """A published text; null is a missing value, an empty text is named."""
    named = {None: "(missing)", "": "(empty)", ROOT: STAR, OTHER: OTHER}.get(label)
    return say.gettext(named) if named else str(label)


def _is_number(label: str) -> bool:
    return label.removeprefix("-").replace(".", "", 1).isdecimal()
