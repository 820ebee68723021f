"""Which columns are recodings of each other? Keeping one undoes the generalization of the other.

`education-num` is `education` in numbers: publishing it unchanged beside a generalized `education`
gives everything away. Column a determines column b when every value of a occurs with one value of b,
that is when there are as many distinct pairs as distinct values of a.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

from sfumato.summary.ask import Ask
from sfumato.table.attribute import Attribute, bind
from sfumato.table.schema import Column, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Engine
    from sfumato.types import IntArray

T = TypeVar("T")

_MOST_VALUES = 1000
"""Columns with more distinct values are left out: nearly unique ones determine everything."""
_MOST_COLUMNS = 40
"""Most columns whose pairs are counted."""


@dataclass(frozen=True, slots=True)
class Recoding:
    """`column` determines `other`: whoever reads the first knows the second."""

    column: str
    other: str
    both_ways: bool


def recodings(engine: Engine[T], table: T, values: Mapping[str, Sequence[str | None]]) -> list[Recoding]:
    """Every pair of columns in which one determines the other.

    Args:
        engine: where data live.
        table: its handle of the table.
        values: the distinct values of each column to look at.
    """
    fit = {name: found for name, found in values.items() if 1 < len(found) <= _MOST_VALUES}
    bound = {name: _flat(name, found) for name, found in list(fit.items())[:_MOST_COLUMNS]}
    out: list[Recoding] = []
    for one, two in combinations(bound, 2):
        codes = engine.summarize(table, Ask((bound[one], bound[two]))).codes
        out += _found(one, two, codes)
    return out


def _flat(name: str, values: Sequence[str | None]) -> Attribute:
    """A column without meaning."""
    return bind(Column(name, Role.INSENSITIVE), sorted(values, key=lambda v: (v is None, v or "")))


def _found(one: str, two: str, codes: IntArray) -> list[Recoding]:
    """Recodings among the distinct pairs (n_pairs, 2) of two columns."""
    n_pairs = len(codes)
    forward = n_pairs == len(set(codes[:, 0].tolist()))
    backward = n_pairs == len(set(codes[:, 1].tolist()))
    out = [Recoding(one, two, backward)] if forward else []
    return [*out, Recoding(two, one, forward)] if backward and not forward else out
