"""The frequency oracles by the name that a plan, a command or a wire form gives them.

An oracle is a class of `FrequencyOracle` with a `name`. The modules of this room are searched for them: a new
file is a new oracle, and nothing else needs to change.
"""

from __future__ import annotations

import importlib
import pkgutil
from inspect import isabstract
from typing import TYPE_CHECKING, Any

import sfumato.mechanism.local
from sfumato.errors import ParameterError
from sfumato.mechanism.local.oracle import FrequencyOracle

if TYPE_CHECKING:
    from collections.abc import Mapping


def oracles() -> Mapping[str, type[FrequencyOracle[Any]]]:
    """The oracles by name, in the order of their places; each takes epsilon and the domain size.

    Example:
        >>> list(oracles())[:3]
        ['GRR', 'SUE', 'OUE']
    """
    room = sfumato.mechanism.local
    modules = [
        importlib.import_module(f"{room.__name__}.{found.name}")
        for found in pkgutil.iter_modules(room.__path__)
        if not found.ispkg
    ]
    classes = {
        cls
        for module in modules
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, FrequencyOracle) and not isabstract(cls)
    }
    return {cls.name: cls for cls in sorted(classes, key=lambda cls: (cls.place, cls.name))}


def oracle_named(name: str, epsilon: float, domain_size: int) -> FrequencyOracle[Any]:
    """The oracle of a name.

    Args:
        name: as in `oracles`.
        epsilon: asked, in nats.
        domain_size: number of values.

    Raises:
        ParameterError: unknown name, or parameters outside their range. Remedy: one of the names.

    Example:
        >>> oracle_named("GRR", 1.0, 16).domain_size
        16
    """
    known = oracles()
    if name not in known:
        raise ParameterError(
            "The oracle must be one of {oracles}; got {name!r}.",
            "choose one of these.",
            oracles=", ".join(known),
            name=name,
        )
    return known[name](epsilon, domain_size)
