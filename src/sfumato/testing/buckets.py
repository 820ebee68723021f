"""The two small tables from which examples of buckets start."""

from __future__ import annotations

import numpy as np

from sfumato.summary.pair import Pair, value_counts
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def six_persons() -> Pair:
    """Six persons of B. Nguyen's course in two buckets: ages 20 21 22 with uses 50 60 90, ages 26 27 28 with 70 70 75.

    Example:
        >>> six_persons().sizes.tolist()
        [3, 3]
    """
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["20", "21", "22", "26", "27", "28"])
    use = bind(Column("use", Role.SENSITIVE, Kind.INTEGER), ["50", "60", "70", "75", "90"])
    bucket = np.array([0, 0, 0, 1, 1, 1])
    values = value_counts(bucket, np.array([0, 1, 4, 2, 2, 3]), np.ones(6, np.int64), use)
    return Pair((age,), np.arange(6)[:, None], bucket, np.ones(6, np.int64), values)
