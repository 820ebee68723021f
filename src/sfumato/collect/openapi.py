"""The OpenAPI document: bodies, statuses and tokens of every address, completed by hand."""

from __future__ import annotations

from typing import Any

_PROBLEM = {
    "type": "object", "required": ["problem", "remedy"],
    "properties": {"problem": {"type": "string"}, "remedy": {"type": "string"}},
}  # fmt: skip
_TEXT = {"type": "string"}
_BATCH = {
    "type": "object", "required": ["format", "collection", "batch", "reports"],
    "properties": {
        "format": {"enum": ["sfumato.batch/1", "sfumato.rappor-batch/1"]}, "collection": _TEXT,
        "batch": {"type": "string", "minLength": 1, "maxLength": 128}, "reports": _TEXT,
        "cohorts": {"type": "array", "items": {"type": "integer", "minimum": 0}},
    },
}  # fmt: skip
_BATCHES: dict[str, Any] = {
    "summary": "Batches", "description": "Count a batch of reports. A retry of the same batch is counted once.",
    "operationId": "batches",
    "parameters": [{"name": "name", "in": "path", "required": True, "schema": _TEXT}],
}  # fmt: skip
_MEANING = {
    303: "Another page.", 403: "It comes from a page of another address.", 400: "No JSON.", 401: "No token, or another one.", 404: "No such collection or file.", 408: "It took too long.",
    405: "Batches are sent with POST.", 410: "The survey has ended.", 409: "The batch id was used for another batch.", 413: "Too large.", 422: "No batch of this collection.",
    429: "Too fast; see Retry-After.", 503: "The store fails or too many batches wait; see Retry-After.",
}  # fmt: skip
_STATUSES = {
    "/collections/{name}/batches": (400, 401, 404, 408, 409, 410, 413, 422, 429, 503),
    "/collections/{name}": (404, 503),
    "/collections/{name}/counts": (401, 404, 503),
    "/collections/{name}/estimate": (401, 404, 503),
    "/collections/{name}/events": (401, 404, 503),
    "/collections/{name}/live": (303, 404),
    "/collections/{name}/research": (404, 503),
    "/collections/{name}/research/": (404, 503),
    "/collections/{name}/research/login": (303, 400, 401, 403, 404, 413),
    "/collections/{name}/research/logout": (303, 400, 403, 404, 413),
    "/collections/{name}/research/language": (303, 400, 403, 404, 413),
    "/collections/{name}/research/events": (401, 404, 503),
    "/collections/{name}/research/estimates.json": (401, 404, 503),
    "/collections/{name}/research/estimates.csv": (401, 404, 503),
    "/collections/{name}/research/static/{file}": (404,),
    "/collections/{name}/phone": (404,),
    "/phone/{file}": (404,),
    "/phone-worker.js": (),
    "/client/{file}": (404,),
    "/static/{file}": (404,),
    "/health": (503,),
    "/metrics": (401,),
}
_TYPES = {
    "/collections/{name}/events": "text/event-stream", "/collections/{name}/live": "text/html",
    "/collections/{name}/phone": "text/html", "/phone-worker.js": "text/javascript", "/metrics": "text/plain",
    "/collections/{name}/research": "text/html", "/collections/{name}/research/": "text/html", "/collections/{name}/research/events": "text/event-stream",
    "/collections/{name}/research/estimates.csv": "text/csv",
}  # fmt: skip
_LOCKED = ("batches", "counts", "estimate", "events", "estimates.json", "estimates.csv")
_FORMS = {"login": ("token",), "logout": (), "language": ("to", "back")}
"""Fields of forms, by the end of their address; whoever sends one is led to another page."""


def described_whole(document: dict[str, Any]) -> dict[str, Any]:
    """The document of the addresses with every status, body and token, and with batches, which are answered before them."""
    paths = {**document["paths"], "/collections/{name}/batches": {"post": dict(_BATCHES)}}
    for path, methods in paths.items():
        for operation in methods.values():
            _complete(path, operation)
    components = {
        "schemas": {"Problem": _PROBLEM, "Batch": _BATCH},
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    }
    return {**document, "paths": paths, "components": components}


def _complete(path: str, operation: dict[str, Any]) -> None:
    """One operation: its success, its refusals, its body and its token."""
    kind = _TYPES.get(path, "application/json")
    end = path.rsplit("/", 1)[-1]
    if path.endswith("/static/{file}"):
        success: dict[str, Any] = {"text/css": {"schema": _TEXT}, "text/javascript": {"schema": _TEXT}}
    else:
        success = {kind: {"schema": {"type": "object"} if kind == "application/json" else _TEXT}}
    is_page = kind == "text/html" or end in _FORMS
    problem = (
        {"text/html": {"schema": _TEXT}}
        if is_page
        else {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    )
    operation["responses"] = {} if end in _FORMS else {"200": {"description": "Done.", "content": success}}
    for status in _STATUSES[path]:
        operation["responses"][str(status)] = {"description": _MEANING[status], "content": problem}
    if path.endswith("/batches"):
        schema = {"$ref": "#/components/schemas/Batch"}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    if end in _FORMS:
        fields = {"type": "object", "properties": dict.fromkeys(_FORMS[end], _TEXT)}
        operation["requestBody"] = {"content": {"application/x-www-form-urlencoded": {"schema": fields}}}
    if end in _LOCKED:
        operation["security"] = [{"token": []}]
