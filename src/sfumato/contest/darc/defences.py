"""Submissions that come with DARC."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest.game import Defence
from sfumato.contest.naming import random_names
from sfumato.contest.periods import periods_of
from sfumato.noise.integers import uniform_integers
from sfumato.table.lines import Labels, Lines

if TYPE_CHECKING:
    from sfumato.contest.game import Rules
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

PARTS = 4
"""Lines of a month get one of so many dates at most."""


def pseudonyms(original: Lines, rules: Rules, bits: Bits) -> Labels:
    """A new random name for each person and period."""
    return random_names(original.labels("id_user"), periods_of(original.whole("date"), rules.period), bits)


def renamed(original: Lines, rules: Rules, bits: Bits) -> Lines:
    """Nothing but the names changed."""
    return _with(original, id_user=pseudonyms(original, rules, bits))


def coarser(original: Lines, rules: Rules, bits: Bits) -> Lines:
    """Dates are the first of their week of the month, prices whole, quantities powers of two."""
    days = original.whole("date")
    month = days.astype("datetime64[D]").astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    quantity = original.whole("qty")
    power = np.sign(quantity) * 2 ** np.floor(np.log2(np.maximum(np.abs(quantity), 1))).astype(np.int64)
    return _with(
        original,
        id_user=pseudonyms(original, rules, bits),
        date=month + np.minimum((days - month) // 7, PARTS - 1) * 7,
        price=np.maximum(np.rint(original.numbers("price")), 0),
        qty=power,
    )


def sampled(original: Lines, rules: Rules, bits: Bits) -> Lines:
    """The coarser lines, of which each is deleted with half of the chance that the rules allow."""
    made = coarser(original, rules, bits)
    most = int(min(rules.most_deleted, 0.5) * 1000)
    gone = uniform_integers(made.rows, 2000, bits=bits) < most
    names = made.labels("id_user")
    if "DEL" not in names.names:
        names = Labels((*names.names, "DEL"), names.codes)
    return _with(made, id_user=Labels(names.names, np.where(gone, names.names.index("DEL"), names.codes)))


def _with(original: Lines, **columns: Labels | FloatArray | IntArray) -> Lines:
    """The original with other columns."""
    return Lines({**original.columns, **columns}, original.rows, original.first)


DEFENCES = {
    one.name: one
    for one in (
        Defence("renamed", "Random pseudonyms for each customer and month; all else as it is.", renamed),
        Defence("coarser", "The same, with weeks for dates, whole prices, and powers of two for quantities.", coarser),
        Defence("sampled", "The same, with a quarter of the lines deleted by chance.", sampled),
    )
}
"""By name."""
