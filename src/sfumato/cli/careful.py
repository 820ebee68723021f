"""The check before every command: whether each path that it writes may be written.

A parameter called `output` or `picture` is written; every other one that holds a path or a table is read. An output
that is a folder gets files that are called after the command or the experiment.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.errors import SourceError
from sfumato.release.places import Place, check_places, database_places

if TYPE_CHECKING:
    from collections.abc import Iterator

WRITTEN = frozenset({"output", "picture", "key_output"})
"""Names of parameters that are written."""
TABLES = frozenset({"source", "original", "release", "releases", "control", "answers", "reports"})
"""Names of parameters that are read: a path, or the URL of a database."""
_SUFFIXES = frozenset({".csv", ".json", ".svg"})


class Folder(click.Path):
    """The type of an output that is a folder."""


class Careful(click.Command):
    """A command that overwrites nothing that it reads."""

    def invoke(self, ctx: click.Context) -> object:
        """Check all paths, then run.

        Raises:
            SourceError: a path that may not be written.
        """
        written = [place for param in self.params if param.name in WRITTEN for place in _written(param, ctx)]
        if written:
            check_places([place for param in self.params for place in _read(param, ctx)], written)
            check_places([place for param in self.params for place in _read_by_plan(param, ctx)], written)
        return super().invoke(ctx)


class CarefulGroup(click.Group):
    """A group of such commands."""

    command_class = Careful


def is_read(param: click.Parameter) -> bool:
    """Whether a parameter is a file or table that is read."""
    is_table = param.name in TABLES and param.type is click.STRING
    return param.name not in WRITTEN and (is_table or isinstance(param.type, click.Path))


def _read(param: click.Parameter, ctx: click.Context) -> Iterator[Place]:
    values = ctx.params.get(param.name or "")
    if not is_read(param):
        return
    for value in values if isinstance(values, tuple) else (values,):
        if isinstance(value, str) and "://" in value:
            yield from database_places(f"the database of {_role(param)}", value)
        elif value is not None:
            yield Place(_role(param), Path(value))


def _read_by_plan(param: click.Parameter, ctx: click.Context) -> Iterator[Place]:
    path = ctx.params.get(param.name or "")
    if param.name in {"plan", "plan_path"} and path is not None:
        from sfumato.release.places import plan_reads
        from sfumato.release.plan_reader import read_plan

        yield from plan_reads(read_plan(path))


def _written(param: click.Parameter, ctx: click.Context) -> Iterator[Place]:
    """The file that a parameter names, or those of its folder that would be replaced."""
    path = ctx.params.get(param.name or "")
    if path is None:
        return
    if not isinstance(param.type, Folder):
        yield Place(_role(param), path)
        return
    if os.path.lexists(path) and not path.is_dir():
        raise SourceError(
            "{role} must be a folder; {name!r} is something else.",
            "choose another place.",
            role=_role(param),
            name=path.name,
        )
    name = ctx.params.get("name") or ctx.command.name
    for old in sorted(path.iterdir()) if path.is_dir() else ():
        if old.suffix in _SUFFIXES and (old.stem == name or old.stem.startswith(f"{name}-")):
            yield Place(f"a file of {_role(param)}", old)


def _role(param: click.Parameter) -> str:
    """What the user calls it."""
    return param.opts[-1] if isinstance(param, click.Option) else (param.name or "").upper()
