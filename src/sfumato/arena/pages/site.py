"""What the pages of a contest need, and how they are answered: a template, in the language of whoever asks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, RedirectResponse, Response

from sfumato.arena.desk import Desk
from sfumato.arena.pages.clock import at, left_told, shown
from sfumato.frozen import dataclass
from sfumato.web.pages import render
from sfumato.web.pages.language import language_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from sfumato.arena.pages.visitor import Doors, Visitor
    from sfumato.arena.serving import Arena
    from sfumato.contest.judge import Judge
    from sfumato.language.words import Words
    from sfumato.web.pages.gate import Public

PACKAGE = "sfumato.arena"
ROOT = "/pages"
"""Where all pages are."""
TITLES = {
    "": "Rules", "board": "Leaderboard", "hand-in": "Hand in", "own": "History", "attack": "Attack", "organise": "Organise",
}  # fmt: skip
"""Pages of the menu."""
_OF_TEAMS, _OF_ORGANISER = ("hand-in", "own", "attack"), ("organise",)
UNITS = ("d", "h", "min", "s")
"""Names of days, hours, minutes and seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """What the pages need.

    Args:
        arena: what is served.
        judge: what the rules are told from; of its tables nothing but the number of lines is shown.
        doors: who may come in.
        public: how the pages are reached.
    """

    arena: Arena
    judge: Judge
    doors: Doors
    public: Public

    @property
    def desk(self) -> Desk:
        """Where teams are served."""
        return Desk(self.arena)

    def answer(self, request: Request, template: str, status: int = 200, **said: Any) -> Response:
        """A page as HTML."""
        words, who = self.words(request), visitor(request)
        phases, units = self.arena.phases, [words.gettext(unit) for unit in UNITS]
        common = {
            "root": ROOT, "who": who, "contest": self.arena.contest.name, "menu": _menu(who), "error": None, "here": None,
            "phases": shown(phases, self.arena.now()), "digits": self.arena.digits,
            "left": partial(left_told, units=units), "units": " ".join(units),
            "at": lambda seconds: at(seconds, phases),
        }  # fmt: skip
        return HTMLResponse(render.page(PACKAGE, words.language, template, **common | said), status)

    def words(self, request: Request) -> Words:
        """The language of whoever asks."""
        return render.words(PACKAGE, language_of(request.headers))

    @staticmethod
    def to(page: str) -> Response:
        """Go to another page."""
        return RedirectResponse(f"{ROOT}/{page}", 303)


def visitor(request: Request) -> Visitor | None:
    """Who asks; None: nobody who has signed in."""
    found: Visitor | None = getattr(request.state, "who", None)
    return found


def _menu(who: Visitor | None) -> list[tuple[str, str]]:
    """Pages that somebody may see, with their titles."""
    hidden: set[str] = set()
    if who is None or who.is_organiser:
        hidden |= set(_OF_TEAMS)
    if who is None or not who.is_organiser:
        hidden |= set(_OF_ORGANISER)
    return [(page, title) for page, title in TITLES.items() if page not in hidden]
