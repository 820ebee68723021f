"""What a release is worth: figures beside the original, what another k would cost, values before and after."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words
from sfumato.report.number import (
    ShownFigure,
    Toward,
    columns,
    count,
    in_table_order,
    number,
    sentence,
    share,
    toward_worse,
)
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.release import ReleaseResult, Worth

Pictures = list[tuple[str, str]]
"""Captions and pictures."""


@dataclass(frozen=True, slots=True)
class ShownWorth(ShownFigure):
    """A figure of worth with its direction, rounded to its bad side."""

    before: str
    better: str


@dataclass(frozen=True, slots=True)
class ShownLoss:
    """What another value of k would cost."""

    k: str
    loss: str
    suppressed: str


@dataclass(frozen=True, slots=True)
class ShownWish:
    """What persons lost, by what they asked for."""

    asked: str
    persons: str
    suppressed: str
    loss: str


@dataclass(frozen=True)
class View:
    """What a release is worth; pictures are drawn when a page shows them.

    Args:
        result: the release.
        say: in which words pictures are drawn.
        figures: each with its value on the original.
        losses: what other values of k would cost.
        wishes: what persons lost, by what they asked for.
    """

    result: ReleaseResult
    say: Words
    figures: Sequence[ShownWorth]
    losses: Sequence[ShownLoss]
    wishes: Sequence[ShownWish]

    @cached_property
    def loss_chart(self) -> str | None:
        """What other values of k would cost, as a picture."""
        from sfumato.report.panels import loss_chart

        return loss_chart(self.result.loss_by_k, self.say)

    @cached_property
    def kept(self) -> Pictures:
        """Values of the columns that kept their values."""
        return self._drawn(kept=True)

    @cached_property
    def recoded(self) -> Pictures:
        """Values of the others."""
        return self._drawn(kept=False)

    def _drawn(self, *, kept: bool) -> Pictures:
        from sfumato.report.panels import distribution_charts, same_values

        told = in_table_order(self.result.distributions, self.result).items()
        of = [(name, states) for name, states in told if same_values(states) is kept]
        return [picture for name, states in of for picture in distribution_charts(name, states, self.say)]


def view(result: ReleaseResult, say: Words = ENGLISH) -> View:
    """What a release is worth."""
    return View(
        result,
        say,
        figures=[_figure(worth, say) for worth in result.worth],
        losses=_losses(result, say),
        wishes=_wishes(result, say),
    )


def _figure(worth: Worth, say: Words) -> ShownWorth:
    toward = toward_worse(worth.better)
    return ShownWorth(
        label=say.say(worth.label),
        value=say.spelled(number(worth.value, toward)),
        definition=say.say(worth.definition),
        source=sentence(say.say(worth.source)),
        before=say.spelled(number(worth.before, toward)),
        better=say.gettext(f"{worth.better} is better"),
    )


def _losses(result: ReleaseResult, say: Words) -> list[ShownLoss]:
    n = say.spelled
    return [
        ShownLoss(n(count(row.k)), n(number(row.loss, Toward.UP)), n(share(row.suppressed, Toward.UP)))
        for row in sorted(result.loss_by_k, key=lambda row: row.k)
    ]


def _wishes(result: ReleaseResult, say: Words) -> list[ShownWish]:
    return [
        ShownWish(
            asked=f"{row.column} ({row.model}): {_from_to(row.asked, say)}",
            persons=say.spelled(count(row.persons)),
            suppressed=say.spelled(share(row.suppressed, Toward.UP)),
            loss=say.spelled(number(row.loss, Toward.UP)),
        )
        for row in result.loss_by_wish
    ]


def _from_to(ends: Sequence[int], say: Words) -> str:
    """One wish, or a run of them."""
    return say.gettext(" to ").join(say.spelled(count(end)) for end in dict.fromkeys(ends))


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The same on a terminal."""
    _ = say.gettext
    text, lost = (
        _("{value} ({better}; original {before})"),
        _("{persons} persons, loss {loss}, suppressed {suppressed}"),
    )
    rows = [(w.label, text.format(value=w.value, better=w.better, before=w.before)) for w in shown.figures]
    wishes = [(w.asked, lost.format(persons=w.persons, loss=w.loss, suppressed=w.suppressed)) for w in shown.wishes]
    out = ["", _("What it is worth"), *columns(rows)] if rows else []
    return [*out, *(["", _("What persons lost who asked for more"), *columns(wishes)] if wishes else [])]


SECTION = Section(name="worth", place=40, heading="What it is worth", view=view, lines=lines)
