"""The losses that a plan can name for the search to minimize."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from sfumato.errors import PlanError
from sfumato.utility.loss.parts import Aggregate

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.summary.loss import Loss
    from sfumato.table.values import Table

LOSSES = {
    "loss": ("arx", "ArxLoss"),
    "precision": ("precision", "PrecisionLoss"),
    "height": ("height", "HeightLoss"),
    "discernibility": ("sizes", "DiscernibilityLoss"),
    "class-size": ("sizes", "ClassSizeLoss"),
    "ambiguity": ("sizes", "AmbiguityLoss"),
    "non-uniform-entropy": ("non_uniform_entropy", "NonUniformEntropyLoss"),
    "entropy-information-loss": ("entropy_information_loss", "EntropyInformationLoss"),
    "kl-divergence": ("kl_divergence", "KLDivergenceLoss"),
    "publisher-payout": ("publisher_payout", "PublisherPayoutLoss"),
}
"""Name in a plan → module of `utility.loss` and class."""


def loss_of(name: str, options: Table) -> Loss:
    """The loss of that name with its options.

    Args:
        name: one of `LOSSES`.
        options: keyword arguments of the class, such as `gs` and `aggregate`.

    Raises:
        PlanError: unknown name or option.

    Example:
        >>> loss_of("loss", {"gs": 0.5, "aggregate": "maximum"}).name
        'arx_loss'
    """
    if name not in LOSSES:
        raise PlanError(
            "`loss` in [method] must be one of {losses}; got {name!r}.",
            "choose one of them.",
            losses=sorted(LOSSES),
            name=name,
        )
    module, cls = LOSSES[name]
    make = cast("Callable[..., Loss]", getattr(import_module(f"sfumato.utility.loss.{module}"), cls))
    known: list[str] = [field.name for field in fields(make)] if is_dataclass(make) else []
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise PlanError(
            "The loss {name!r} has no option {unknown!r}; known: {known}.",
            "correct or remove it.",
            name=name,
            unknown=unknown[0],
            known=known,
        )
    return make(**{key: _value(key, value) for key, value in options.items()})


def _value(key: str, value: object) -> object:
    """An option as the class expects it."""
    if key != "aggregate":
        return value
    names = {member.value: member for member in Aggregate}
    if value not in names:
        raise PlanError(
            "`aggregate` must be one of {names}; got {value!r}.",
            "choose one of them.",
            names=sorted(names),
            value=value,
        )
    return names[str(value)]
