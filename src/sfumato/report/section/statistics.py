"""Statistics of traces: how wrong numbers are, and each table by its greatest groups with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words
from sfumato.report.chart.intervals import Span, intervals
from sfumato.report.number import ABSENT, Toward, answered, columns, count, number
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.release import ReleaseResult
    from sfumato.document.result.trace_statistics import NoiseTold, StatisticTold

_TERMINAL = 5
"""Groups of each table that a terminal shows."""
_IN_ORDER = frozenset({"degree", "quantile"})
"""What is shown in its own order."""
_WIDE = 34
"""Longest name of a group in a picture."""


@dataclass(frozen=True, slots=True)
class ShownNoise:
    """The noise of some numbers."""

    statistic: str
    number: str
    groups: str
    mean: str
    bad: str
    threshold: str


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One table by its greatest groups."""

    title: str
    shown: str
    by: str
    cells: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    chart: str | None
    price: str
    sensitivity: str
    caption: str
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class View:
    """Statistics of traces."""

    facts: Sequence[tuple[str, str]]
    noises: Sequence[ShownNoise]
    tables: Sequence[ShownTable]


def view(result: ReleaseResult, say: Words = ENGLISH) -> View | None:
    """What was released; None where it is no statistic."""
    found = result.statistics
    if found is None:
        return None
    _ = say.gettext
    side = say.spelled(number(found.metres, Toward.NEAREST))
    cells = _("{rows} × {columns} cells of {side} m from {latitude}, {longitude}").format(
        rows=found.rows, columns=found.columns, side=side, latitude=found.latitude, longitude=found.longitude
    )
    read = [one for one in found.accountants if one.epsilon is not None]
    epsilons = [
        (_("epsilon by {accountant}").format(accountant=one.accountant), say.spelled(number(one.epsilon, Toward.UP)))
        for one in read
    ]
    return View(
        facts=[(_("Protected"), say.say(found.unit)), (_("Region"), cells), (_("Time zone"), found.zone), *epsilons],
        noises=[_noise(one, say) for one in found.noises],
        tables=[table_of(one, say) for one in found.tables],
    )


def _noise(one: NoiseTold, say: Words) -> ShownNoise:
    return ShownNoise(
        statistic=say.say(one.statistic),
        number=say.say(one.number),
        groups=say.spelled(count(one.groups)),
        mean=say.spelled(number(one.mean_error, Toward.UP)),
        bad=say.spelled(number(one.bad_error, Toward.UP)),
        threshold=say.spelled(count(one.threshold)),
    )


def table_of(one: StatisticTold, say: Words) -> ShownTable:
    """One table in words of a language.

    Args:
        one: what was released.
        say: the language.
    """
    named = [" → ".join(key) for key in one.keys] if one.by else [say.say(one.cells[0])]
    rows = [
        (name, [_number(*numbers, say) for numbers in zip(values, low, high, strict=True)])
        for name, values, low, high in zip(named, one.values, one.low, one.high, strict=True)
    ]
    spans = [
        Span(name[:_WIDE], value[0], low[0], high[0])
        for name, value, low, high in zip(named, one.values, one.low, one.high, strict=True)
        if value[0] is not None
    ]
    title = say.say(one.title)
    alt = say.gettext("{title}: numbers with their intervals.").format(title=title)
    return ShownTable(
        title=title,
        shown=say.spelled(count(one.shown)),
        by=" → ".join(say.say(name) for name in one.by) or say.gettext("number"),
        cells=[say.say(cell) for cell in one.cells],
        rows=rows,
        chart=intervals(spans, alt, say.say(one.cells[0]), answered, say) if len(spans) > 1 else None,
        price=one.price,
        sensitivity=say.say(one.sensitivity),
        caption=_caption(one, len(rows), say),
        notes=[say.say(note) for note in one.notes],
    )


def _caption(one: StatisticTold, rows: int, say: Words) -> str:
    """Which groups are shown, and what their intervals are."""
    which = {"rows": rows, "shown": say.spelled(count(one.shown))}
    head = say.gettext("{rows} of {shown} groups, the greatest numbers first.")
    if _IN_ORDER.intersection(one.by):
        head = say.gettext("{rows} of {shown} groups, the first ones.")
    if one.confidence is None:
        return f"{head} {say.gettext('No interval is proven.')}".format(**which)
    sure = say.spelled(f"{one.confidence * 100:g}\u00a0%")
    covers = say.gettext("Each interval covers with probability {confidence}, over the noise.")
    return f"{head.format(**which)} {covers.format(confidence=sure)}"


def _number(value: float | None, low: float | None, high: float | None, say: Words) -> tuple[str, str]:
    """A number and its interval."""
    told = ABSENT if value is None else say.spelled(answered(value))
    if low is None or high is None:
        return told, ABSENT
    ends = {"low": say.spelled(answered(low)), "high": say.spelled(answered(high))}
    return told, say.gettext("{low} to {high}").format(**ends)


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The same on a terminal: the first groups of each table."""
    out = ["", say.gettext("What was counted"), *columns(list(shown.facts))]
    return [*out, *(line for table in shown.tables for line in table_lines(table, say))]


def table_lines(table: ShownTable, say: Words = ENGLISH) -> list[str]:
    """The first groups of one table, on a terminal."""
    head = say.gettext("{title} ({shown} groups, {price})")
    rows = [(name, "; ".join(map(_line, numbers))) for name, numbers in table.rows[:_TERMINAL]]
    return ["", head.format(title=table.title, shown=table.shown, price=table.price), *columns(rows)]


def _line(told: tuple[str, str]) -> str:
    """A number and its interval, if it has one."""
    value, ends = told
    return value if ends == ABSENT else f"{value} ({ends})"


SECTION = Section(name="statistics", place=30, heading="What was counted", view=view, lines=lines, of="statistics")
