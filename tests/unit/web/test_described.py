"""What a server says of its addresses is what it answers."""

import asyncio

import httpx
from starlette.responses import JSONResponse

from sfumato.web.described import Address, described, served


async def numbered(number, rest, request):
    """A number, and what was asked of it."""
    return JSONResponse([number, rest, request.query_params.get("by")])


async def nothing():
    """Nothing at all."""
    return JSONResponse(None, 202)


ADDRESSES = (
    Address("GET", "/numbers/{number:int}/{rest:path}", numbered, (404,), words={"by": ("name", "size")}),
    Address("POST", "/numbers", nothing, (413,), 202, "text/plain"),
)


def asked(*requests):
    """Answers of the server."""

    async def ask():
        transport = httpx.ASGITransport(served("Numbers", ADDRESSES))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return [await client.request(*one) for one in requests]

    return asyncio.run(ask())


def test_what_stands_in_a_path_is_handed_over():
    found = asked(
        ("GET", "/numbers/7/a/b?by=size"), ("GET", "/numbers/x/a"), ("GET", "/numbers/-7/a"), ("POST", "/numbers")
    )
    assert [one.status_code for one in found] == [200, 404, 404, 202]
    assert found[0].json() == [7, "a/b", "size"]


def test_other_methods_are_refused_and_head_is_one_of_them():
    found = asked(("POST", "/numbers/7/a"), ("HEAD", "/numbers/7/a"), ("HEAD", "/openapi.json"), ("GET", "/numbers"))
    assert [(one.status_code, one.headers["allow"]) for one in found] == [(405, "GET")] * 3 + [(405, "POST")]


def test_the_description_is_of_these_addresses():
    (found,) = asked(("GET", "/openapi.json"))
    assert found.json() == described("Numbers", ADDRESSES)
    one = found.json()["paths"]["/numbers/{number}/{rest}"]["get"]
    assert [(p["name"], p["in"], p["schema"]["type"]) for p in one["parameters"]] == [
        ("number", "path", "integer"), ("rest", "path", "string"), ("by", "query", "string"),
    ]  # fmt: skip
    assert one["parameters"][2]["schema"]["enum"] == ["name", "size"]
    assert (one["description"], [*one["responses"]]) == ("A number, and what was asked of it.", ["200", "404"])
    other = found.json()["paths"]["/numbers"]["post"]
    assert [*other["responses"]["202"]["content"]] == ["text/plain"]
