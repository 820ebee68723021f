"""The plans that a sweep runs: values read from a short text, and a plan's document with one key changed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from sfumato.errors import ParameterError, PlanError
from sfumato.release.sweep.named import Named
from sfumato.table.values import table_in

if TYPE_CHECKING:
    from sfumato.table.values import Item, Table

MOST_RUNS = 400
"""Runs above which a sweep is refused."""
_ALL = 25
"""Whole numbers of a range that are all taken."""
_FEW = 12
"""Values taken of a longer range."""

Plain = int | float | str | bool
Value = Plain | Named


def values_of(text: str) -> list[Plain]:
    """The values that a text names: `2,5,10` a list, `2..50` a range, `2..50..4` a range with a step.

    A range of whole numbers without a step is taken whole if it has at most 25; of a longer one, and of one of
    decimals, about 12 values are taken whose logarithms are evenly spaced, both ends among them.

    Args:
        text: what was written after `KEY=`.

    Raises:
        ParameterError: an empty value, or a range that does not rise. Remedy: in the message.

    Example:
        >>> values_of("2..5"), values_of("0.1..0.5..0.2"), values_of("mondrian,full-domain")
        ([2, 3, 4, 5], [0.1, 0.3, 0.5], ['mondrian', 'full-domain'])
        >>> values_of("2..50")
        [2, 3, 4, 5, 6, 9, 12, 16, 21, 28, 37, 50]
    """
    out: list[Plain] = []
    for part in text.split(","):
        if not part.strip():
            raise ParameterError(
                "Every value must be written; got {text!r}.", "write such as 2,5,10 or 2..50.", text=text
            )
        ends = _ends(part)
        out += [_value(part.strip())] if ends is None else _range(part.strip(), ends)
    return list(dict.fromkeys(out))


def is_thinned(text: str) -> bool:
    """Whether some range in a text is longer than what is taken of it.

    Example:
        >>> is_thinned("2..50"), is_thinned("2..20")
        (True, False)
    """
    ends = [found for found in map(_ends, text.split(",")) if found is not None and len(found) == 2]
    return any(not _is_whole(found) or found[1] - found[0] >= _ALL for found in ends)


def grid(vary: Mapping[str, Sequence[Value]]) -> list[dict[str, Value]]:
    """Every combination of the values, the last key changing fastest.

    Args:
        vary: by key, its values.

    Raises:
        ParameterError: no key, a key without a value, or more than 400 combinations. Remedy: fewer values.

    Example:
        >>> grid({"method": ["mondrian"], "k": [2, 5]})
        [{'method': 'mondrian', 'k': 2}, {'method': 'mondrian', 'k': 5}]
    """
    if not vary or not all(vary.values()):
        raise ParameterError("A sweep must vary a key, and each key needs a value.", "vary such as k over 2, 5, 10.")
    n = math.prod(len(values) for values in vary.values())
    if n > MOST_RUNS:
        raise ParameterError(
            "A sweep must make at most {most_runs} runs; this one would make {n:,}.",
            "vary less.",
            most_runs=MOST_RUNS,
            n=n,
        )
    return [dict(zip(vary, combination, strict=True)) for combination in product(*vary.values())]


def varied(document: Table, values: Mapping[str, Value]) -> dict[str, Item]:
    """A plan's document with some keys changed; the document itself stays as it is.

    Args:
        document: the parsed plan.
        values: by key, its new value. A key with points is a path such as `columns.age.perturb.deviation` or
            `promise.0.k`. `method` is the name of the method. Any other key must stand in exactly one of the promises,
            the perturbed columns, [protect], [method], [sample] and [population]; `suppression_limit` need not. The key
            of a `Named` value is free: its changes say what is changed. They are made first.

    Raises:
        PlanError: a key that is nowhere, or in several places. Remedy: in the message.

    Example:
        >>> varied({"promise": [{"model": "k-anonymity", "k": 5}], "method": {"name": "mondrian"}}, {"k": 2})
        {'promise': [{'model': 'k-anonymity', 'k': 2}], 'method': {'name': 'mondrian'}}
    """
    out: dict[str, Item] = _plain(document)
    for value in values.values():
        if isinstance(value, Named):
            out = _plain(value.over(out))
    for key, value in values.items():
        if isinstance(value, Named):
            continue
        *path, last = path_of(out, key).split(".")
        table = _inside(out, path, key)
        if isinstance(table, list):
            table[_index(table, last, key)] = value
        else:
            table[last] = value
    return out


def path_of(document: Table, key: str) -> str:
    """Where a key stands in a plan's document, as a path with points.

    Example:
        >>> path_of({"promise": [{"model": "t-closeness", "t": 0.2}]}, "t"), path_of({}, "method")
        ('promise.0.t', 'method.name')
    """
    if "." in key:
        return key
    if key == "method":
        return "method.name"
    places = [f"{place}.{key}" for place, table in _tables(document) if key in table]
    if not places and key == "suppression_limit":
        return "method.suppression_limit"
    if not places:
        raise PlanError(
            "`{key}` must stand in one place of the plan to be varied; no promise, perturbed column, protection or method has it.",
            "add it to the plan, or give its path with points.",
            key=key,
        )
    if len(places) > 1:
        raise PlanError(
            "`{key}` must stand in one place of the plan to be varied; it stands in {places}.",
            "name one of them in full.",
            key=key,
            places=places,
        )
    return places[0]


def _tables(document: Table) -> Iterator[tuple[str, Table]]:
    """The tables in which a short key is looked for, by path."""
    for name in ("promise", "protect"):
        tables = cast("Sequence[Table]", document.get(name, ()))
        yield from ((f"{name}.{i}", table) for i, table in enumerate(tables))
    perturbed = ((name, table_in(document, "columns", name, "perturb")) for name in table_in(document, "columns"))
    yield from ((f"columns.{name}.perturb", options) for name, options in perturbed if options)
    for name in ("method", "sample", "population"):
        yield name, table_in(document, name)


def _inside(document: dict[str, Item], path: Sequence[str], key: str) -> dict[str, Item] | list[Item]:
    here: Item = document
    for step in path:
        if isinstance(here, list):
            here = here[_index(here, step, key)]
        elif isinstance(here, dict) and step in here:
            here = here[step]
        else:
            raise _nowhere(key, step)
    if not isinstance(here, (dict, list)):
        raise _nowhere(key, path[-1])
    return here


def _index(items: Sequence[Item], step: str, key: str) -> int:
    """A place in a list, counted from 0."""
    if not step.isdecimal() or int(step) >= len(items):
        raise _nowhere(key, step)
    return int(step)


def _nowhere(key: str, step: str) -> PlanError:
    """A path that leads nowhere."""
    return PlanError(
        "The path `{key}` must lead to a key of the plan; {step!r} is not there.",
        "correct the path.",
        key=key,
        step=step,
    )


def _plain(value: Item) -> Any:
    """A copy made of plain tables and lists."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else deepcopy(value)


def _value(text: str) -> Plain:
    """A whole number, a decimal, a truth value, or the text itself."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        return number if math.isfinite(number) else text
    return text


def _ends(part: str) -> list[Decimal] | None:
    """Both ends of a range, and its step if it has one; None for anything else."""
    try:
        found = [Decimal(end.strip()) for end in part.split("..")]
    except InvalidOperation:
        return None
    return found if len(found) in (2, 3) and all(end.is_finite() for end in found) else None


def _range(text: str, ends: Sequence[Decimal]) -> list[Plain]:
    low, high, *step = ends
    if high < low or (step and step[0] <= 0) or (not step and not _is_whole(ends) and low <= 0):
        raise ParameterError(
            "A range must rise, and one of decimals without a step must begin above 0; got {text!r}.",
            "write such as 2..50, 2..50..4 or 0.1..10.",
            text=text,
        )
    if step or _is_whole(ends):
        by = step[0] if step else Decimal(1)
        n = int((high - low) / by) + 1
        if step and n > MOST_RUNS:
            raise ParameterError(
                "A range must hold at most {most_runs} values; {text!r} has {n:,}.",
                "step wider.",
                most_runs=MOST_RUNS,
                text=text,
                n=n,
            )
        if step or n <= _ALL:
            return [_value(format(low + i * by, "f")) for i in range(n)]
    return _spaced(float(low), float(high), whole=_is_whole(ends))


def _spaced(low: float, high: float, *, whole: bool) -> list[Plain]:
    """About a dozen values from low to high, evenly spaced by their logarithms (counted from 1 where low is below)."""
    shift = 1 - low if low < 1 and whole else 0.0
    ratio = (high + shift) / (low + shift)
    found = [(low + shift) * ratio ** (i / (_FEW - 1)) - shift for i in range(_FEW)]
    if whole:
        return list(dict.fromkeys([int(low), *(round(value) for value in found[1:-1]), int(high)]))
    return list(dict.fromkeys([low, *(float(f"{value:.3g}") for value in found[1:-1]), high]))


def _is_whole(ends: Sequence[Decimal]) -> bool:
    """Whether both ends are whole numbers."""
    return all(end == end.to_integral_value() and "." not in str(end) for end in ends[:2])
