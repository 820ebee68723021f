"""The language of a request, and the choice of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response

from sfumato.language.words import preferred
from sfumato.web.pages.gate import cookie_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

COOKIE = "language"


def language_of(headers: Mapping[str, str]) -> str:
    """The language of a request: that of its cookie, else the first that its browser names.

    Example:
        >>> language_of({"accept-language": "fr-FR"}), language_of({"accept-language": "fr", "cookie": "language=en"})
        ('fr', 'en')
    """
    return preferred(headers.get("accept-language", ""), cookie_in(headers.get("cookie", ""), COOKIE))


async def choose(request: Request, root: str) -> Response:
    """Another language from now on, as a form says; then back to where it was chosen, if that is a page of ours.

    Args:
        request: a form with `to` and `back`.
        root: where all pages are.
    """
    form = await request.form()
    back = str(form.get("back", ""))
    is_ours = back.startswith(root + "/") and not back.startswith(("//", "/\\"))
    answer = RedirectResponse(back if is_ours else root + "/", 303)
    answer.set_cookie(
        COOKIE, preferred("", str(form.get("to", ""))), path=root or "/", httponly=True, samesite="strict"
    )
    return answer
