"""The organiser's page: phases, teams and tokens, what was handed in, judging again, and who did what."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime, timedelta
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias, cast

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from sfumato.arena.archive import pack
from sfumato.arena.keys import ORGANISER, new_team
from sfumato.arena.pages.files import line
from sfumato.arena.pages.handing import OFTEN
from sfumato.arena.pages.visitor import Visitor
from sfumato.arena.store import TooMany
from sfumato.document.contest import PhaseTable
from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.web.pages.events import until_over

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from sfumato.arena.pages.files import Line
    from sfumato.arena.pages.site import Site
    from sfumato.arena.timetable import Timetable

Kind: TypeAlias = Literal["defence", "attack"]
_PIECE = 1 << 20
MOST = 200
"""Files, and lines of the log, that are shown, the newest."""
WHATS = {
    "token": "got a token", "submission": "handed in", "attack": "handed in an attack", "publish": "published a submission",
    "withdraw": "took back", "accepted": "accepted", "refused": "refused", "failed": "could not judge",
    "again": "had everything judged again", "phases": "changed the phases",
}  # fmt: skip
"""What the log says, in words."""


@dataclass(frozen=True, slots=True, eq=False)
class OrganisePages:
    """What the organiser sees and does.

    Args:
        site: what pages need.
        timetable: the phases, in the document.

    `_drawn` has a token that was made and not yet shown, by the cookie of whoever made it.
    """

    site: Site
    timetable: Timetable
    _drawn: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)

    async def show(self, request: Request, status: int = 200, **said: Any) -> Response:
        """The page; a new token stands on it once."""
        view = await run_in_threadpool(self._view)
        of, token = self._drawn.pop(self.site.public.given(request.headers), ("", ""))
        return self.site.answer(request, "organise.html", status, here="organise", token=token, of=of, **view, **said)

    def _view(self) -> dict[str, Any]:
        store, digits = self.site.arena.store, self.site.arena.digits
        files = [line(one, Visitor(""), digits) for one in store.everything()]
        noted = [(at, who, WHATS.get(what, what), file) for at, who, what, file in store.audit()[-MOST:]]
        shown = [one for i, one in enumerate(files) if i < MOST or one.may_be_published]
        return {
            "teams": [_team(name, files) for name in store.teams()], "files": shown, "all_files": len(files),
            "noted": noted[::-1], "waiting": store.waiting(),
        }  # fmt: skip

    async def team(self, request: Request) -> Response:
        """A new team, or a new token of one."""
        form = await request.form(max_files=0, max_fields=4)
        name, arena = str(form.get("name", "")), self.site.arena
        try:
            token = await run_in_threadpool(new_team, arena.store, name, now=arena.clock())
        except SfumatoError as error:
            return await self.show(request, 422, error=error)
        self._drawn[self.site.public.given(request.headers)] = name, token
        return self.site.to("organise")

    async def events(self, request: Request) -> Response:
        """How many files wait, as server-sent events, until none does."""
        say = self.site.words(request)

        def look() -> Mapping[str, Any] | None:
            n = self.site.arena.store.waiting()
            text = say.ngettext("%(num)s file waits for the judge.", "%(num)s files wait for the judge.", n)
            return {"percent": None, "message": text % {"num": n}} if n else None

        return until_over(request, look, OFTEN)

    async def again(self, _request: Request) -> Response:
        """Everything is judged again."""
        arena = self.site.arena
        await run_in_threadpool(arena.store.again, now=arena.clock())
        arena.worker.wake()
        return self.site.to("organise")

    async def archive(self, _request: Request) -> Response:
        """The contest as one file, without its tables and keys."""
        arena = self.site.arena
        with arena.room.arrival() as path:
            await run_in_threadpool(pack, path, self.timetable.path, arena.store, arena.room, with_secrets=False)
            file = path.open("rb")  # whoever has it open still reads it once it is gone
        headers = {"content-disposition": 'attachment; filename="contest.zip"'}
        return StreamingResponse(_pieces(file), media_type="application/zip", headers=headers)

    async def publish(self, request: Request) -> Response:
        """A submission is published for its team, in whatever phase."""
        form = await request.form(max_files=0, max_fields=4)
        text, arena = str(form.get("number", "")), self.site.arena
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
        one = await run_in_threadpool(arena.store.file, number)
        try:
            done = one is not None and await run_in_threadpool(
                arena.store.publish, one.id, one.team, now=arena.clock(), most=arena.contest.quota.published, by=ORGANISER
            )  # fmt: skip
        except TooMany:
            done = False
        if not done:
            error = PlanError(
                "Only a submission that was accepted can be published, as many of a team as the contest allows.",
                "choose another one.",
            )
            return await self.show(request, 422, error=error)
        return self.site.to("organise")

    async def phases(self, request: Request) -> Response:
        """A phase begins or ends now, is moved, or is added."""
        form = await request.form(max_files=0, max_fields=10)
        posted = {name: str(value) for name, value in form.items()}
        try:
            await run_in_threadpool(self._changed, posted)
        except SfumatoError as error:
            return await self.show(request, 422, error=error)
        return self.site.to("organise")

    def _changed(self, posted: Mapping[str, str]) -> None:
        """Change the phases as a form says.

        Raises:
            PlanError: a moment is none, or a phase would end before it starts.
            SourceError: the document cannot be written.
        """
        now, arena = self.site.arena.now().replace(microsecond=0), self.site.arena
        if posted.get("do") == "add":
            name, kind = posted.get("name", "").strip(), posted.get("kind", "")
            if not name or kind not in {"defence", "attack"}:
                raise PlanError("A phase needs a name, and is one of defence or attack.", "say both.")
            start, end = _moment(posted, "start"), _moment(posted, "end")
            self.timetable.add(PhaseTable(name=name, kind=cast("Kind", kind), start=start, end=end))
        else:
            place = int(posted["place"]) if posted.get("place", "").isdecimal() else -1
            known = arena.phases
            if not 0 <= place < len(known):
                raise PlanError("There must be a phase of this place in the document.", "open the page again.")
            self.timetable.move(place, *_moved(posted, known[place], now))
        arena.store.noted(ORGANISER, "phases", now=arena.clock())


def _team(name: str, files: Iterable[Line]) -> tuple[str, int, int, int]:
    """A team with how many submissions, attacks and published submissions it has."""
    own = [one for one in files if one.team == name]
    attacks = sum(one.target is not None for one in own)
    return name, len(own) - attacks, attacks, sum(one.published for one in own)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    """A file, piece by piece."""
    with file:
        while piece := file.read(_PIECE):
            yield piece


def _moved(posted: Mapping[str, str], phase: PhaseTable, now: datetime) -> tuple[datetime, datetime]:
    """When a phase begins and ends, as a form says."""
    start, end = cast("datetime", phase.start), cast("datetime", phase.end)  # the document is checked when it is read
    here = now.astimezone(start.tzinfo)
    match posted.get("do"):
        case "begin":
            return here, end if end > here else here + (end - start)
        case "end":
            return min(start, here - timedelta(seconds=1)), here
        case _:
            return _moment(posted, "start"), _moment(posted, "end")


def _moment(posted: Mapping[str, str], name: str) -> datetime:
    """A moment that was typed.

    Raises:
        PlanError: it is none, or has no offset.
    """
    try:
        found = datetime.fromisoformat(posted.get(name, "").strip().replace(" +", "+").replace(" -", "-"))
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise PlanError(
            "`{name}` must be a moment with its offset.", "write such as 2026-12-01T09:00:00+01:00.", name=name
        )
    return found
