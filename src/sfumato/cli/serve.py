"""`sfumato serve collect | token | places | friends | arena`: every server, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

import click

from sfumato.cli.careful import CarefulGroup

_WHERE = {
    "arena": ("sfumato.arena.command", "serve_arena"),
    "collect": ("sfumato.collect.command", "serve_collect"),
    "friends": ("sfumato.nearby.command", "serve_friends"),
    "places": ("sfumato.nearby.command", "serve_places"),
    "token": ("sfumato.collect.command", "token"),
}


class _Servers(CarefulGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the servers."""
        del ctx
        return list(_WHERE)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        del ctx
        if cmd_name not in _WHERE:
            return None
        module, name = _WHERE[cmd_name]
        found: click.Command = getattr(import_module(module), name)
        return found


@click.group(cls=_Servers)
def serve() -> None:
    """Run a server: of randomized reports, of places that nobody is seen to look up, of tokens of friends."""
