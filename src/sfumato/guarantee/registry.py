"""The criteria by name: read from a table of a plan, and written down again.

A criterion is a dataclass with a class attribute `model`, and `variant` where several share a model. The
modules of this room are searched for them: a new file is a new model, and nothing else needs to change.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import sfumato.guarantee
from sfumato.errors import ParameterError, PlanError
from sfumato.numbers.exact import plain

if TYPE_CHECKING:
    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.table.values import Item, Table

_ROOM = "sfumato.guarantee."


def criterion_from(mapping: Table) -> Criterion | TableCriterion:
    """The criterion that a table of a plan describes.

    Args:
        mapping: `model`, the key that tells variants apart where there are several (`kind`,
            `reference`), and every parameter of the model. Nothing has a default.

    Raises:
        PlanError: unknown model or key, or a key that is absent. The message lists the known ones.
        ParameterError: a parameter outside its range.

    Example:
        >>> criterion_from({"model": "l-diversity", "kind": "recursive", "column": "illness", "c": 3, "l": 2})
        RecursiveLDiversity(column='illness', c=Fraction(3, 1), l=2)
    """
    if not isinstance(mapping, Mapping):
        raise PlanError(
            "Every [[promise]] must be a table of keys and values.", "write [[promise]] and its keys below it."
        )
    given = dict(mapping)
    cls = _chosen(given)
    parameters = [field.name for field in fields(cls)]
    label = _label(cls)
    unknown = sorted(set(given) - set(parameters))
    absent = [name for name in parameters if name not in given]
    if unknown:
        raise PlanError(
            "A criterion {label} has no key {unknown!r}; known: {parameters}.",
            "remove or correct that key.",
            label=label,
            unknown=unknown[0],
            parameters=parameters,
        )
    if absent:
        raise PlanError(
            "A criterion {label} must give {absent!r}; needed: {parameters}.",
            "add that key.",
            label=label,
            absent=absent[0],
            parameters=parameters,
        )
    if not isinstance(given.get("column", ""), str):
        raise PlanError(
            "`column` of a criterion {label} must be the name of a column.", "write it in quotes.", label=label
        )
    criterion: Criterion | TableCriterion = cls(**given)
    return criterion


def criterion_to(criterion: Criterion | TableCriterion) -> dict[str, int | float | str]:
    """The table of a plan that describes a criterion; `criterion_from` reads it back to an equal one.

    Raises:
        ParameterError: a class that is not in this room. Remedy: write the criterion as a file of it.

    Example:
        >>> from sfumato.guarantee.k_anonymity import KAnonymity
        >>> criterion_to(KAnonymity(5))
        {'model': 'k-anonymity', 'k': 5}
    """
    cls = type(criterion)
    if not cls.__module__.startswith(_ROOM) or cls not in _criteria_of(cls.__module__.removeprefix(_ROOM)):
        raise ParameterError(
            "A criterion must be one of the models of this room to be written into a plan; got {kind}.",
            "add its class as a file of `sfumato.guarantee`.",
            kind=cls.__name__,
        )
    out: dict[str, int | float | str] = {"model": _model(cls), **_variant(cls)}
    for field in fields(cls):
        value = getattr(criterion, field.name)
        out[field.name] = plain(value) if isinstance(value, Fraction) else value
    return out


def known_models() -> dict[str, tuple[dict[str, str], ...]]:
    """Every model with its variants ({} where there is one form only), by name.

    Example:
        >>> known_models()["k-map"]
        ({'kind': 'estimated'}, {'kind': 'known'})
    """
    classes = criteria()
    return {
        model: tuple(
            sorted((_variant(cls) for cls in classes if _model(cls) == model), key=lambda v: tuple(v.values()))
        )
        for model in sorted({_model(cls) for cls in classes})
    }


def _chosen(given: dict[str, Item]) -> type[Any]:
    """The class that the table means; the keys that chose it are taken out of `given`."""
    model = given.pop("model", None)
    alone = _alone(model)
    if alone is not None:
        return alone
    models = known_models()
    if not isinstance(model, str) or model not in models:
        got = "no `model`" if model is None else f"{model!r}"
        raise PlanError(
            "`model` of a criterion must be one of {models}; got {got}.",
            "correct `model`.",
            models=list(models),
            got=got,
        )
    candidates = [cls for cls in criteria() if _model(cls) == model]
    key = next(iter(_variant(candidates[0])), None)
    if key is None:
        return candidates[0]
    wanted = given.pop(key, None)
    for cls in candidates:
        if _variant(cls)[key] == wanted:
            return cls
    known = [variant[key] for variant in models[model]]
    got = "none" if wanted is None else repr(wanted)
    raise PlanError(
        "`{key}` of a criterion {model!r} must be one of {known}; got {got}.",
        "give `{key}`.",
        key=key,
        model=model,
        known=known,
        got=got,
    )


def _alone(model: object) -> type[Any] | None:
    """The criterion of a model that has one form only, found in the file of that name; no other file is loaded then."""
    name = str(model).replace("-", "_")
    if not name.isidentifier() or find_spec(f"{_ROOM}{name}") is None:
        return None
    found = [cls for cls in _criteria_of(name) if _model(cls) == model and not _variant(cls)]
    return found[0] if found else None


@cache
def criteria() -> tuple[type[Any], ...]:
    """The criteria of this room, in the order of its files."""
    files = pkgutil.iter_modules(sfumato.guarantee.__path__)
    return tuple(cls for file in files for cls in _criteria_of(file.name))


@cache
def _criteria_of(name: str) -> tuple[type[Any], ...]:
    """The criteria of one file."""
    module = importlib.import_module(f"{_ROOM}{name}")
    return tuple(
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and is_dataclass(thing) and thing.__module__ == module.__name__ and _model(thing)
    )


def _model(cls: type[Any]) -> str:
    """Name of the model in plans; "" where the class is no criterion."""
    return str(getattr(cls, "model", ""))


def _variant(cls: type[Any]) -> dict[str, str]:
    """The key and value that tell this class apart from others of the same model."""
    return dict(getattr(cls, "variant", {}))


def _label(cls: type[Any]) -> str:
    """The model and variant, for messages."""
    return " ".join(repr(part) for part in (_model(cls), *_variant(cls).values()))
