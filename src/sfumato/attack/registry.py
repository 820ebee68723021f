"""Every attack, by name: the modules of this room and of its rooms are searched, so that a new file is a new attack."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import is_dataclass
from typing import Any

import sfumato.attack


def known_attacks() -> dict[str, type[Any]]:
    """The classes that have a name as an attack (`attack.base.Attack`), by that name.

    Example:
        >>> {"inference", "linkability", "singling out"} <= set(known_attacks())
        True
    """
    found = {}
    for entry in pkgutil.walk_packages(sfumato.attack.__path__, f"{sfumato.attack.__name__}."):
        module = importlib.import_module(entry.name)
        for thing in vars(module).values():
            if is_dataclass(thing) and isinstance(thing, type) and thing.__module__ == module.__name__:
                name = getattr(thing, "attack", None)
                if isinstance(name, str):
                    found[name] = thing
    return dict(sorted(found.items()))
