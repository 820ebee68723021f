"""A group of commands of other applications, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sfumato.cli.careful import Careful, CarefulGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

    import click


class LazyGroup(CarefulGroup):
    """Commands of its own, then those that stand elsewhere.

    Args:
        beside: module and name of the command of each name.
        said: what click makes of the group.
    """

    def __init__(self, *, beside: Mapping[str, tuple[str, str]], **said: Any) -> None:
        super().__init__(**said)
        self.beside = beside

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands."""
        return [*super().list_commands(ctx), *self.beside]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in self.beside:
            return super().get_command(ctx, cmd_name)
        module, name = self.beside[cmd_name]
        found: click.Command = getattr(import_module(module), name)
        return Careful(cmd_name, callback=found.callback, params=found.params, help=found.help)
