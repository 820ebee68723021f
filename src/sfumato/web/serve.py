"""An application is run behind a guard: so many connections, each within its limits, and no address is logged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import uvicorn

from sfumato.web.door import Door, open_files
from sfumato.web.guard import behind

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from sfumato.document.server import Limits
    from sfumato.web.metrics import Tally
    from sfumato.web.reached import Reached

_BACKLOG = 128
"""Connections that the system holds before the server takes them."""


def may_run(limits: Limits) -> None:
    """See that the process may hold the connections that it must.

    Raises:
        PlanError: the operating system does not allow as many.
    """
    open_files(limits.connections + _BACKLOG)


def run(app: ASGIApp, limits: Limits, tally: Tally, reached: Reached, *, port: int) -> None:
    """Run until told to stop; requests that have begun are answered first.

    Args:
        app: the application.
        limits: of connections.
        tally: where it is counted how connections ended.
        reached: address to listen on, and the certificate where it has one of its own.
        port: 0: a free one.
    """
    uvicorn.run(
        app, host=reached.host, port=port, ssl_certfile=reached.certificate, ssl_keyfile=reached.key, access_log=False, log_level="error", server_header=False, proxy_headers=False, date_header=False,
        timeout_graceful_shutdown=5, http=behind(Door(limits, tally)), ws="none", backlog=_BACKLOG,
    )  # fmt: skip
