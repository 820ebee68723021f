"""The front door for plans that are made in Python: written where the command line and the studio read them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sfumato.document.codec import write
from sfumato.errors import PlanError
from sfumato.guarantee.registry import criterion_to
from sfumato.release.plan import Plan
from sfumato.release.plan_reader import plan_from
from sfumato.release.stage import staged
from sfumato.table.contents import read_text

if TYPE_CHECKING:
    from sfumato.table.values import Table

NAME = "plan.toml"


def write_plan(plan: Plan | Table, folder: Path | str, *, over: Plan | None = None) -> Path:
    """Write a plan as `plan.toml` into a folder, which is then a project of the studio and `sfumato run` reads it.

    It gets its place whole, or not at all. One that is there is kept unless it says the same, or is the one that `over`
    says; then what did not change stays as it was written, comments too.

    Args:
        plan: made by `plan_from` or `read_plan` for this folder (paths in it are relative to the folder), its promises and
            measures perhaps replaced since; or its document.
        folder: that is there.
        over: the plan that is there now, as it was read; None: none is to be replaced.

    Returns:
        The file.

    Raises:
        PlanError: it is none, is not what its document says in this folder, or would replace another one than `over`.
        SourceError: it cannot be written.

    Example:
        >>> from dataclasses import replace
        >>> from sfumato import read_plan
        >>> from sfumato.guarantee.k_anonymity import KAnonymity
        >>> from tempfile import TemporaryDirectory
        >>> made = {"format": "sfumato.plan/1", "columns": {"age": {"role": "quasi-identifying"}},
        ...         "promise": [{"model": "k-anonymity", "k": 5}], "method": {"name": "mondrian"}}
        >>> with TemporaryDirectory() as folder:
        ...     first = read_plan(write_plan(made, folder))
        ...     path = write_plan(replace(first, promises=(KAnonymity(9),)), folder, over=first)
        ...     read_plan(path).promises
        (KAnonymity(k=9),)
    """
    folder = Path(folder)
    said = _document(plan, folder) if isinstance(plan, Plan) else plan_from(plan, folder=folder).document
    path = folder / NAME
    text = toml_text(said, _there(path, said, over) if path.exists() else "")
    with staged() as stage:
        stage.write(path, text, internal=False)
        stage.commit()
    return path


def _document(plan: Plan, folder: Path) -> Table:
    """The document of a plan, with its promises and measures as they are now.

    Raises:
        PlanError: read in this folder, it is another plan.
    """
    kept, tables = replace(plan, file=None), dict(plan.document)
    now = {"promise": [criterion_to(cast("Any", one)) for one in plan.promises], "measure": write(plan.measures)}
    changed = cast("Table", tables | {key: value for key, value in now.items() if value or key in tables})
    for said in (tables, changed):
        if replace(plan_from(said, folder=folder), document=kept.document) == kept:
            return said
    raise PlanError(
        "A plan that is written must be what its document says in that folder; this one is not.",
        "change its document, and make it by `plan_from(document, folder=…)` for that folder.",
    )


def _there(path: Path, said: Table, over: Plan | None) -> str:
    """The text of the plan that is there.

    Raises:
        PlanError: it is another one than was thought.
    """
    text = read_text(path, "The plan")
    try:
        there: Table | None = tomllib.loads(text)
    except ValueError:
        there = None
    if there != said and (over is None or there != over.document):
        raise PlanError(
            "{name!r} must not be there, or be the plan that `over` says; it is another one.",
            "look at it; to replace it, read it by `read_plan` and hand it over as `over`.",
            name=path.name,
        )
    return text


def toml_text(said: Table, before: str) -> str:
    """A document as TOML; what the text of before says too stays as it stands there."""
    import tomlkit

    document = tomlkit.parse(before)
    _merge(document, said)
    return tomlkit.dumps(document)


def _merge(into: MutableMapping[str, Any], said: Mapping[str, Any]) -> None:
    """Make a table of TOML say what a table says."""
    for key in [key for key in into if key not in said]:
        del into[key]
    for key, value in said.items():
        if key in into and isinstance(value, Mapping) and isinstance(into[key], MutableMapping):
            _merge(into[key], value)
        elif key in into and _are_tables(into[key], value):
            for there, one in zip(into[key], value, strict=True):
                _merge(there, one)
        elif key not in into or not _same(into[key], value):
            into[key] = value


def _are_tables(there: object, value: object) -> bool:
    """Whether both are lists of as many tables."""
    return (
        isinstance(there, list)
        and isinstance(value, list)
        and len(there) == len(value) > 0
        and all(isinstance(one, MutableMapping) for one in (*there, *value))
    )


def _same(there: object, value: object) -> bool:
    """Whether a value of TOML is this one, of the same kind."""
    plain = there.unwrap() if hasattr(there, "unwrap") else there
    return type(plain) is type(value) and plain == value
