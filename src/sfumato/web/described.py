"""The addresses of a server, and the OpenAPI document of what each takes and how it refuses."""

from __future__ import annotations

import re
from dataclasses import field
from inspect import signature
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Lifespan

JSON = "application/json"
_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
_NUMBER = {"type": "integer", "minimum": 0}
_TEXT = {"type": "string"}


@dataclass(frozen=True, slots=True, eq=False)
class Address:
    """What is answered at one address, by one method.

    Args:
        method: of HTTP.
        path: as Starlette writes it; what stands in braces is handed to `answer` by its name.
        answer: takes what stands in the path, and the request if it has a parameter of that name.
        refused: statuses of its refusals.
        status: where it does what was asked.
        media: type of that answer.
        words: what a parameter behind the question mark may be, by name.
    """

    method: str
    path: str
    answer: Callable[..., Awaitable[Response]]
    refused: Sequence[int] = ()
    status: int = 200
    media: str = JSON
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)


def served(
    title: str,
    addresses: Sequence[Address],
    *,
    lifespan: Lifespan[Starlette] | None = None,
    document: Mapping[str, Any] | None = None,
) -> Starlette:
    """The application that answers some addresses, and describes them at /openapi.json.

    Args:
        title: of the server.
        addresses: in the order in which they are tried.
        lifespan: what surrounds its life.
        document: the description; None: what the addresses say.
    """
    said = described(title, addresses) if document is None else document

    async def description() -> Response:
        return JSONResponse(said)

    routes = [_route(one) for one in (*addresses, Address("GET", "/openapi.json", description))]
    return Starlette(routes=routes, lifespan=lifespan)


def described(title: str, addresses: Sequence[Address]) -> dict[str, Any]:
    """The OpenAPI document of some addresses.

    Example:
        >>> async def number(number):
        ...     '''A number, told again.'''
        >>> document = described("Numbers", [Address("GET", "/numbers/{number:int}", number, (404,))])
        >>> document["paths"]["/numbers/{number}"]["get"]["responses"]["404"]
        {'description': 'refused'}
    """
    paths: dict[str, Any] = {}
    for one in addresses:
        path = _PLACE.sub(r"{\1}", one.path)
        paths.setdefault(path, {})[one.method.lower()] = _operation(one, path)
    return {"openapi": "3.1.0", "info": {"title": title, "version": "1"}, "paths": paths}


def _operation(one: Address, path: str) -> dict[str, Any]:
    """What one method does at an address."""
    name = one.answer.__name__.strip("_")
    placed = [
        {"name": part, "in": "path", "required": True, "schema": _NUMBER if kind == "int" else _TEXT}
        for part, kind in _PLACE.findall(one.path)
    ]
    asked = [
        {"name": part, "in": "query", "required": False, "schema": {**_TEXT, "enum": [*words]}}
        for part, words in one.words.items()
    ]
    content = {one.media: {"schema": {} if one.media == JSON else _TEXT}}
    return {
        "summary": name.replace("_", " ").capitalize(),
        "description": (one.answer.__doc__ or "").strip(),
        "operationId": re.sub(r"\W+", "_", f"{one.method.lower()}{path}").strip("_"),
        **({"parameters": [*placed, *asked]} if placed or asked else {}),
        "responses": {
            str(one.status): {"description": "Done.", "content": content},
            **{str(status): {"description": "refused"} for status in one.refused},
        },
    }


def _route(one: Address) -> Route:
    """One address. Starlette would answer HEAD as it does GET, also where the answer never ends: it is refused."""
    made = Route(one.path, _called(one.answer), methods=[one.method])
    made.methods = {one.method}
    return made


def _called(answer: Callable[..., Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """What Starlette calls with the request alone."""
    takes_request = "request" in signature(answer).parameters

    async def call(request: Request) -> Response:
        found = {**request.path_params, "request": request} if takes_request else request.path_params
        return await answer(**found)

    return call
