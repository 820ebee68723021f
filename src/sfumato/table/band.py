"""Bands of numbers in the texts of a column, such as `[70-80)`, `20-29`, `65+` or `< 18`, and their order."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.table.share import mostly

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBER = r"-?\d+(?:[.,]\d+)?"
_UNIT = r"\s*(?:%|[kKmM]?\s?[€$£]?|ans?|years?|yrs?|kg|cm|h)?\s*"
_BETWEEN = re.compile(
    rf"(?:[a-z]\W\s*)?'?[\[\](]?\s*[$€£]?({_NUMBER}){_UNIT}(?:-|–|,|;|\.\.|to|à|a|et|and|<)\s*[$€£]?({_NUMBER}){_UNIT}[\[\])]?'?",
    re.IGNORECASE,
)
_BELOW = re.compile(
    rf"(?:<|<=|≤|under|below|less than|up to|moins de|jusqu'à)\s*[$€£]?({_NUMBER}){_UNIT}", re.IGNORECASE
)
_ABOVE = re.compile(
    rf"(?:>|>=|≥|over|above|more than|plus de)\s*[$€£]?({_NUMBER}){_UNIT}"
    rf"|[$€£]?({_NUMBER}){_UNIT}(?:\+|and over|and more|or more|et plus|ou plus)",
    re.IGNORECASE,
)
_FEWEST = 3
_MOST_OTHERS = 0.2
"""Bands may stand beside so many other values, such as `none` or a single number."""


def are_bands(values: Sequence[str]) -> bool:
    """Whether most values are bands, none of which lies within another.

    Example:
        >>> are_bands(["[70-80)", "[60-70)", "[80-90)"]), are_bands(["<18", "18-64", "65+"]), are_bands(["a-1", "b", "c"])
        (True, True, False)
    """
    if not mostly(band_of, values, 1 - _MOST_OTHERS):
        return False
    found = [band for band in map(band_of, values) if band is not None]
    if len(found) < _FEWEST:
        return False
    ordered = sorted(found)
    return all(one[1] <= two[1] for one, two in pairwise(ordered))


def band_of(text: str) -> tuple[float, float] | None:
    """The two ends of a band; infinite where it is open.

    Example:
        >>> band_of("[70-80)"), band_of("20 à 29 ans"), band_of("65+"), band_of("<= 50"), band_of("1999-12")
        ((70.0, 80.0), (20.0, 29.0), (65.0, inf), (-inf, 50.0), None)
    """
    bare = text.strip()
    if match := _BETWEEN.fullmatch(bare):
        low, high = _number(match[1]), _number(match[2])
        return (low, high) if low < high else None
    if match := _BELOW.fullmatch(bare):
        return float("-inf"), _number(match[1])
    if match := _ABOVE.fullmatch(bare):
        return _number(match[1] or match[2]), float("inf")
    return None


def in_order(values: Sequence[str]) -> tuple[list[str], list[str]]:
    """Bands from low to high, and the values that are none."""
    bands = [(band, value) for value in values if (band := band_of(value)) is not None]
    others = [value for value in values if band_of(value) is None]
    return [value for _, value in sorted(bands)], others


def _number(text: str) -> float:
    return float(text.replace(",", "."))
