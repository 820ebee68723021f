"""A sweep as a picture: worth against risk, with the line of those that none beats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.language.words import ENGLISH, Words
from sfumato.report.chart.scatter import MOST_KINDS, Plane, Spot, scatter

if TYPE_CHECKING:
    from sfumato.document.result.sweep import SweepResult


def picture(found: SweepResult, say: Words = ENGLISH) -> str:
    """Worth against risk as an SVG picture: a kind for each value of one varied key, labels for the others.

    Args:
        found: a sweep with at least one point that was run.
        say: the language.
    """
    kind, kinds = _kinds(found)
    others = [key for key in found.vary if key != kind]
    short = "" if kind is None or any(isinstance(value, str) for value in found.vary[kind]) else kind.rpartition(".")[2]
    spots, _ = [], say.gettext
    for point in found.points:
        if point.worth is None or point.risk is None:
            continue
        values = point.values
        label = ", ".join(str(values[key]) for key in others)
        told = ", ".join(f"{key} = {values[key]}" for key in found.vary)
        figures = {"risk": say.spelled(figure_text(point.risk)), "worth": say.spelled(figure_text(point.worth))}
        title = _("{point}: risk {risk}, worth {worth}").format(point=told, **figures)
        spots.append(Spot(point.risk, point.worth, kinds.index(str(values[kind])) if kind else 0, label, title, point.front))  # fmt: skip
    names = [
        f"{say.say(axis.label)} ({say.gettext(axis.better + ' is better')})"
        for axis in (found.risk, found.worth)
        if axis is not None
    ]
    beside = _(", with {keys}").format(keys=_(" and ").join(key.rpartition(".")[2] for key in others)) if others else ""

    def tick(value: float) -> str:
        return say.spelled(_tick(value))

    plane = Plane(
        (names[0], names[1]), (tick, tick), [f"{short} {name}".strip() for name in kinds], _("beaten by none") + beside
    )
    return scatter(
        spots, _("{worth} against {risk} of {n} releases").format(worth=names[1], risk=names[0], n=len(spots)), plane
    )


def _kinds(found: SweepResult) -> tuple[str | None, list[str]]:
    """The varied key that colors tell, and its values: texts first, then whichever of several keys has fewest values."""
    vary = found.vary
    able = [key for key, values in vary.items() if len(values) <= MOST_KINDS]
    texts = [key for key in able if any(isinstance(value, str) for value in vary[key])]
    chosen = texts or (able if len(vary) > 1 else [])
    if not chosen:
        return None, [""]
    key = min(chosen, key=lambda one: len(vary[one]))
    return key, [str(value) for value in vary[key]]


def figure_text(value: float | None) -> str:
    """A figure with four digits."""
    return "" if value is None else f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


def _tick(value: float) -> str:
    """A mark of an axis."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
