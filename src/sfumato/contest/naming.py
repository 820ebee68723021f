"""Pseudonyms of submissions that come with a contest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.table.lines import Labels

if TYPE_CHECKING:
    from sfumato.contest.periods import Periods
    from sfumato.noise.bits import Bits


def random_names(who: Labels, periods: Periods, bits: Bits) -> Labels:
    """A new random name of 16 hexadecimal digits for each person and period.

    Args:
        who: (n,) the person of each line.
        periods: (n,) its period.
        bits: source of chance.
    """
    used, place = np.unique(who.codes * len(periods.names) + periods.codes, return_inverse=True)
    drawn = [f"{word:016x}" for word in bits.words(len(used)).tolist()]
    names = tuple(sorted(set(drawn)))
    rank = {name: i for i, name in enumerate(names)}
    return Labels(names, np.array([rank[name] for name in drawn], np.int64)[place.ravel()])
