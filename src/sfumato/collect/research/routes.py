"""The addresses of the page: sign in and out, the page, its stream, its files. Others' pages change nothing here."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from sfumato.collect.research.door import root_of
from sfumato.collect.research.sheet import sheet
from sfumato.collect.research.shown import (
    cross_shown,
    differences_shown,
    question_shown,
    regressions_shown,
    rounded_up,
)
from sfumato.document.result.survey import RegressionResult
from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.language.told import told
from sfumato.language.words import in_language
from sfumato.release.collect.survey.regress import regressions
from sfumato.release.collect.survey.survey import Survey
from sfumato.web.access import Refused
from sfumato.web.pages import language, render
from sfumato.web.pages.gate import POLICY, counted, is_own, is_within
from sfumato.web.pages.shelf import SHARED
from sfumato.web.policy import headers_with
from sfumato.web.static import StaticFiles

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sfumato.collect.research.door import Door
    from sfumato.collect.server import Server
    from sfumato.collect.settings import Served
    from sfumato.document.result.survey import SurveyEstimatesResult
    from sfumato.language.words import Words
    from sfumato.release.collect.base import Counts

PACKAGE = "sfumato.collect"
STATIC = StaticFiles(PACKAGE, {"research.css": "text/css", "research.js": "text/javascript"}, SHARED)
MOST_FORM = 4096
"""Bytes of a form, which is a token or a language."""
_PAGE = re.compile(r"/collections/([^/]+)/(?:live|phone|research(?:/|/login|/logout|/language)?)")
"""Addresses that people ask for, and not programs."""
_HEADERS = {name.decode(): value.decode() for name, value in headers_with(POLICY, "same-origin")}


@dataclass(frozen=True, slots=True, eq=False)
class Research:
    """One method for each address.

    Args:
        server: what stands behind them.
        door: who may come.
    """

    server: Server
    door: Door

    async def page(self, name: str, request: Request) -> Response:
        """What is known of a survey, for its readers; for others where the token is typed."""
        served, survey = self._survey(name)
        if not self.door.is_in(served, request.headers):
            return self._answer(served, request, "login.html", wrong=False)
        totals = await asyncio.to_thread(self.server.store.totals, name)
        shown = await asyncio.to_thread(_shown, survey, served.counter.counts(totals.vector), _words(request))
        shown["batches"] = totals.batches
        shown["open"] = survey.is_open(self.server.today(), survey.persons(totals.vector))
        return self._answer(served, request, "research.html", **shown)

    async def enter(self, name: str, request: Request) -> Response:
        """A token was typed; it is shown nowhere and stands in no address."""
        served, _ = self._survey(name)
        form = await (await _from_own_page(request)).form(max_files=0, max_fields=4)
        answer = RedirectResponse(root_of(name), 303)
        if self.door.sign_in(served, str(form.get("token", "")), answer, is_secure=_is_secure(request)):
            return answer
        return self._answer(served, request, "login.html", 401, wrong=True)

    async def leave(self, name: str, request: Request) -> Response:
        """The session is over."""
        served, _ = self._survey(name)
        await _from_own_page(request)
        answer = RedirectResponse(root_of(name), 303)
        self.door.leave(served, request.headers, answer, is_secure=_is_secure(request))
        return answer

    async def language(self, name: str, request: Request) -> Response:
        """Another language from now on."""
        self._survey(name)
        return await language.choose(await _from_own_page(request), root_of(name))

    async def events(self, name: str, request: Request) -> Response:
        """How many batches were counted, whenever there are more; the page then asks for itself again."""
        served, _ = self._reader_of(name, request)
        return StreamingResponse(self._counted(served, request), media_type="text/event-stream")

    async def as_json(self, name: str, request: Request) -> Response:
        """The result document as a file."""
        found = await self._estimates(*self._reader_of(name, request))
        text = json.dumps(found.to_dict(), ensure_ascii=False, indent=1) + "\n"
        return _file(text, "application/json", f"{name}.json")

    async def as_csv(self, name: str, request: Request) -> Response:
        """Its numbers as a table, those of regressions too."""
        served, survey = self._reader_of(name, request)
        totals = await asyncio.to_thread(self.server.store.totals, name)
        text = await asyncio.to_thread(_sheet, survey, served.counter.counts(totals.vector))
        return _file(text, "text/csv; charset=utf-8", f"{name}.csv")

    async def static(self, name: str, file: str) -> Response:
        """Style and scripts."""
        self._survey(name)
        return await STATIC.answer(file)

    async def _estimates(self, served: Served, survey: Survey) -> SurveyEstimatesResult:
        totals = await asyncio.to_thread(self.server.store.totals, served.name)
        return await asyncio.to_thread(survey.estimate, served.counter.counts(totals.vector))

    async def _counted(self, served: Served, request: Request) -> AsyncIterator[str]:
        """Until the session is over; whoever sends the token itself has none that ends."""
        has_session = self.door.is_in(served, request.headers)
        async for totals in self.server.changes(served):
            if has_session and totals is not None and not self.door.is_in(served, request.headers):
                return
            yield ": still here\n\n" if totals is None else f"event: counted\ndata: {totals.batches}\n\n"

    def _survey(self, name: str) -> tuple[Served, Survey]:
        """A survey by its name."""
        served = self.server.served(name)
        if not isinstance(served.counter.asked, Survey):
            raise Refused(404, "This collection is no survey.", "ask for its live page.")
        return served, served.counter.asked

    def _reader_of(self, name: str, request: Request) -> tuple[Served, Survey]:
        """A survey whose reader asks: by the cookie of the page, or by the token as programs send it."""
        served, survey = self._survey(name)
        if not self.door.is_in(served, request.headers):
            self.server.reader_of(name, request)
        return served, survey

    @staticmethod
    def _answer(served: Served, request: Request, template: str, status: int = 200, **said: Any) -> Response:
        """A page as HTML."""
        common = {"root": root_of(served.name), "name": served.name}
        text = render.page(PACKAGE, _words(request).language, template, **common | said)
        return HTMLResponse(text, status, _HEADERS)


def refused_page(request: Request, status: int, error: Exception) -> Response | None:
    """What a person reads who asked for a page and is refused, or whom the store fails; None: no page was asked for."""
    asked = _PAGE.fullmatch(request.url.path)
    if asked is None:
        return None
    say = _words(request)
    if isinstance(error, SfumatoError):
        said = told(error, say.language)
        problem, remedy = said.problem, said.remedy
    else:
        problem, remedy = (say.say(str(getattr(error, part, ""))) for part in ("problem", "remedy"))
    common = {"root": root_of(asked[1]), "name": asked[1], "status": status, "problem": problem, "remedy": remedy}
    return HTMLResponse(render.page(PACKAGE, say.language, "refused.html", **common), status, _HEADERS)


def _words(request: Request) -> Words:
    return render.words(PACKAGE, language.language_of(request.headers))


async def _from_own_page(request: Request) -> Request:
    """A form, if a page of this address sent it and it is small."""
    if not is_own(request.headers):
        raise Refused(403, "Only pages of this server may change something.", "use the page of the survey.")
    remedy = "send the form of the page."
    if not is_within(request.headers, MOST_FORM):
        raise Refused(413, f"A form must be at most {MOST_FORM} bytes.", remedy)
    return Request(request.scope, counted(request.receive, MOST_FORM, remedy))


def _is_secure(request: Request) -> bool:
    """Whether the browser reached the page by https, which it says itself; a proxy may stand between."""
    return str(request.headers.get("origin", "")).startswith("https://")


def _file(text: str, kind: str, name: str) -> Response:
    """A file that is kept."""
    return Response(text, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _sheet(survey: Survey, counts: Counts) -> str:
    """The numbers of a survey as a table."""
    fitted = [found for _, _, found in regressions(survey, counts) if isinstance(found, RegressionResult)]
    return sheet(survey.estimate(counts), fitted)


def _shown(survey: Survey, counts: Counts, say: Words) -> dict[str, Any]:
    """All that the page shows of what was counted."""
    found, said = survey.estimate(counts), survey.document
    differences, drawn = differences_shown(found, say)
    return {
        "found": found,
        "title": in_language(said.title, say.language, "") or said.name,
        "said": said,
        "epsilon": rounded_up(found.epsilon),
        "questions": [question_shown(one, told, say) for one, told in zip(said.question, found.questions, strict=True)],
        "differences": differences,
        "difference_picture": drawn,
        "crosses": [cross_shown(one) for one in found.crosses],
        "regressions": list(regressions_shown(survey, counts)),
    }
