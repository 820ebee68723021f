"""A contest when it is over, as a page: what survived, and which attack won where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.words import words
from sfumato.report.chart.scatter import MOST_KINDS, Plane, Spot, scatter
from sfumato.report.chart.standalone import palette
from sfumato.report.chart.svg import shorten
from sfumato.report.html import environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.language.words import Words


_LONGEST = 40
"""Characters of a name in a legend."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A published submission.

    Args:
        number: of it.
        team: whose it is.
        metrics: worth by metric.
        worth: of all together.
        found: what the best attack finds.
        by: the team of that attack, or the name of one that comes with the contest; "": nothing finds anything.
    """

    number: int
    team: str
    metrics: Mapping[str, float]
    worth: float
    found: float
    by: str


@dataclass(frozen=True, slots=True)
class Team:
    """A team on the board.

    Args:
        team: its name.
        defence: of its best submission; None: it has published none.
        attack: what it found in others.
        submission: number of its best submission.
    """

    team: str
    defence: float | None
    attack: float
    submission: int | None


def render_contest(name: str, teams: Sequence[Team], shown: Sequence[Shown], language: str = "en") -> str:
    """The page, without script and without anything from elsewhere.

    Args:
        name: of the contest.
        teams: best defence first.
        shown: published submissions.
        language: "en" or "fr".

    Example:
        >>> one = Shown(7, "red", {"poi": 0.5}, 0.5, 0.25, "sums")
        >>> page = render_contest("Spring", [Team("red", 0.375, 0, 7)], [one])
        >>> "red" in page, page.count("<svg")
        (True, 1)
    """
    say = words(language)
    metrics = sorted({metric for one in shown for metric in one.metrics})
    lines = [
        {
            "number": one.number, "team": one.team, "worth": _told(one.worth, say), "found": _told(one.found, say), "by": one.by,
            "metrics": [_told(one.metrics[metric], say) if metric in one.metrics else "" for metric in metrics],
        }
        for one in shown
    ]  # fmt: skip
    board = [
        {"team": one.team, "defence": "" if one.defence is None else _told(one.defence, say), "attack": _told(one.attack, say),
         "submission": "" if one.submission is None else one.submission}
        for one in teams
    ]  # fmt: skip
    return (
        environment(language)
        .get_template("contest.html")
        .render(
            title=say.gettext("Contest {name}").format(name=name),
            teams=board,
            submissions=lines,
            metrics=metrics,
            palette=palette(),
            picture=front(shown, say) if shown else "",
        )
    )


def front(shown: Sequence[Shown], say: Words) -> str:
    """Worth against what is found, as a picture (SVG); those that none beats are joined.

    Args:
        shown: published submissions, one at least.
        say: the words of reports in a language.
    """
    _ = say.gettext
    teams = list(dict.fromkeys(one.team for one in shown))
    kinds = teams[: MOST_KINDS - 1] + ([_("others")] if len(teams) >= MOST_KINDS else teams[MOST_KINDS - 1 :])
    kinds = [shorten(name, _LONGEST) for name in kinds]

    def beaten(one: Shown) -> bool:
        return any(
            other.worth >= one.worth
            and other.found <= one.found
            and (other.worth, other.found) != (one.worth, one.found)
            for other in shown
        )

    spots = [
        Spot(one.found, one.worth, min(teams.index(one.team), len(kinds) - 1), str(one.number), f"{one.number}, {one.team}", not beaten(one))
        for one in shown
    ]  # fmt: skip

    def tick(value: float) -> str:
        return say.spelled(f"{value:.3g}")

    plane = Plane((_("found by the best attack"), _("worth")), (tick, tick), kinds, _("beaten by none"))
    return scatter(spots, _("Worth of what was published, and what the best attack finds in it"), plane)


def _told(value: float, say: Words) -> str:
    """A score."""
    return say.spelled(f"{value:.3f}")
