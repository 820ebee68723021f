"""What a device must know of a mechanism to randomize exactly as the server counts on, as plain data.

A coin is a float, to be taken as the exact binary fraction that it is; other probabilities are texts "a/b", and weights
beyond 2⁵³ are texts of digits.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sfumato.table.values import Item

_LEFT_OUT = frozenset({"epsilon", "epsilon_reached", "law"})


def parameters_of(mechanism: Any) -> dict[str, Item]:
    """Every parameter of a frozen mechanism, those of its parts below their names.

    Example:
        >>> from sfumato.mechanism.local.grr import GRR
        >>> sorted(parameters_of(GRR(1.0, 4)))
        ['coin', 'domain_size', 'encoding']
    """
    return {one.name: _plain(getattr(mechanism, one.name)) for one in fields(mechanism) if one.name not in _LEFT_OUT}


def _plain(value: object) -> Item:
    """One value: exact, and readable in any language."""
    if is_dataclass(value):
        return parameters_of(value)
    if isinstance(value, np.ndarray):
        return [str(number) for number in value.tolist()]
    if isinstance(value, Fraction):
        return str(value)
    if hasattr(value, "value"):
        return str(value.value)
    if isinstance(value, np.generic):
        return _plain(value.item())
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
