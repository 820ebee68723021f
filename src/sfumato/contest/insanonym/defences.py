"""Submissions that come with INSAnonym, so that a class has something to attack on its first afternoon."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest.game import Defence
from sfumato.contest.insanonym.squares import hundredths
from sfumato.contest.naming import random_names
from sfumato.contest.periods import DAY, periods_of
from sfumato.noise.planar_laplace import planar_laplace
from sfumato.table.cells import EARTH
from sfumato.table.lines import Labels, Lines

if TYPE_CHECKING:
    from sfumato.contest.game import Rules
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray

GRID = 10
"""Metres between the points to which noise is drawn."""
EPSILON = Fraction(1, 100)
"""Of geo-indistinguishability, for each metre and report."""


def pseudonyms(original: Lines, rules: Rules, bits: Bits) -> Labels:
    """A new random name for each person and period."""
    return random_names(
        original.labels("id"),
        periods_of(original.whole("date") // DAY, rules.period, calendar_years=not rules.is_fixed),
        bits,
    )


def renamed(original: Lines, rules: Rules, bits: Bits) -> Lines:
    """Nothing but the names changed."""
    return _with(
        original, pseudonyms(original, rules, bits), original.numbers("latitude"), original.numbers("longitude")
    )


def rounded(original: Lines, rules: Rules, bits: Bits) -> Lines:
    """Positions in cells of hundredths of a degree."""
    places = [hundredths(original.numbers(one)) / 100 for one in ("latitude", "longitude")]
    return _with(original, pseudonyms(original, rules, bits), *places)


def noisy(original: Lines, rules: Rules, bits: Bits) -> Lines:
    """Every position moved by planar Laplace noise. Noise of many reports of one place averages out."""
    steps = planar_laplace(original.rows, EPSILON * GRID, bits=bits) * GRID
    latitude = np.clip(original.numbers("latitude") + np.degrees(steps[:, 1] / EARTH), -90, 90)
    across = np.maximum(np.cos(np.radians(original.numbers("latitude"))), 0.01)
    longitude = original.numbers("longitude") + np.degrees(steps[:, 0] / EARTH / across)
    return _with(original, pseudonyms(original, rules, bits), latitude, (longitude + 180) % 360 - 180)


def _with(original: Lines, names: Labels, latitude: FloatArray, longitude: FloatArray) -> Lines:
    """The original under other names and at other places."""
    columns = {**original.columns, "id": names, "latitude": latitude, "longitude": longitude}
    return Lines(columns, original.rows, original.first)


DEFENCES = {
    one.name: one
    for one in (
        Defence("renamed", "Random pseudonyms for each person and period; all else as it is.", renamed),
        Defence("rounded", "The same, with positions rounded to hundredths of a degree.", rounded),
        Defence("noisy", "The same, with planar Laplace noise of 0.01 for each metre on every position.", noisy),
    )
}
"""By name."""
