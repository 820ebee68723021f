"""Options of commands that serve: where they listen, and how others reach them encrypted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.web.reached import Reached

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Added: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]

_FILE = click.Path(path_type=Path)


def of_listener(port: int) -> Added:
    """What adds to a command the options that say where it listens; it gets `host` and `port`.

    Args:
        port: where it listens unless told otherwise.
    """
    host = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
    at = click.option("--port", type=click.IntRange(0, 65535), default=port, show_default=True, help="0: a free one.")
    return lambda command: host(at(command))


def of_server(port: int) -> Added:
    """What adds the options of a server to a command; it gets `host`, `port`, `proxied`, `certificate` and `tls_key`.

    Args:
        port: where it listens unless told otherwise.
    """
    options = (
        of_listener(port),
        click.option(
            "--behind-proxy",
            "proxied",
            is_flag=True,
            help="A proxy in front encrypts: needed for an address that is not this machine's, unless by --tls-cert.",
        ),
        click.option("--tls-cert", "certificate", type=_FILE, help="Certificate for https, as PEM."),
        click.option("--tls-key", "tls_key", type=_FILE, help="Its key."),
    )

    def added(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return added


def reached_from(host: str, *, proxied: bool, certificate: Path | None, tls_key: Path | None) -> Reached:
    """How others reach a server, checked.

    Raises:
        PlanError: it would be reached from elsewhere without encryption, or its certificate cannot be used.
    """
    at = Reached(host, proxied, certificate, tls_key)
    at.check()
    at.check_certificate()
    return at
