"""`sfumato serve collect | token | places | friends | arena | together`: every server, each loaded when it is asked for."""

from __future__ import annotations

import click

from sfumato.cli.lazy import LazyGroup

_WHERE = {
    "arena": ("sfumato.arena.command", "serve_arena"),
    "collect": ("sfumato.collect.command", "serve_collect"),
    "friends": ("sfumato.nearby.command", "serve_friends"),
    "places": ("sfumato.nearby.command", "serve_places"),
    "together": ("sfumato.together.command", "serve_together"),
    "token": ("sfumato.collect.command", "token"),
}


@click.group(cls=LazyGroup, beside=_WHERE)
def serve() -> None:
    """Run a server: of randomized reports, of places that nobody is seen to look up, of tokens of friends."""
