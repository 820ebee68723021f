"""[[promise]] of a plan: the criteria, each with its keys. The classes are those of `guarantee`."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from importlib import import_module
from typing import Any, TypeAlias, get_args, get_type_hints

from sfumato.guarantee import registry
from sfumato.guarantee.base import Criterion, TableCriterion
from sfumato.numbers.exact import Exact

Promise: TypeAlias = Criterion | TableCriterion
"""One criterion; `model` tells which, and `kind` or `reference` where several share a model."""


def criteria() -> list[type[Any]]:
    """Every criterion that a plan can promise, by model and variant."""
    return sorted(registry.criteria(), key=lambda cls: (cls.model, sorted(getattr(cls, "variant", {}).values())))


def keys_of_criterion(cls: type[Any]) -> dict[str, Any]:
    """The keys of a criterion with their types; an exact number may be written as a number or a text."""
    hints = get_type_hints(cls, {**vars(import_module(cls.__module__)), "Exact": Exact})
    return {one.name: Fraction if Fraction in get_args(hints[one.name]) else hints[one.name] for one in fields(cls)}
