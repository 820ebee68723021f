"""Small random traces."""

import numpy as np

from sfumato.table.plane import Plane, Region
from sfumato.table.traces import Traces

REGION = Region(Plane(45.0, 4.0), 100, 20, 20)
"""Two kilometres by two."""


def drawn(seed, *, persons=3, fixes=25, least=1):
    """Traces of some persons who jump about in the region, for some hours over two days."""
    rng = np.random.default_rng(seed)
    n = rng.integers(least, fixes + 1, persons)
    person = np.repeat(np.arange(persons), n)
    time = np.concatenate([np.sort(rng.choice(2_880, k, replace=False)) * 60_000 for k in n])
    place = 45.0 + rng.integers(0, 180, len(person)) * 1e-4, 4.0 + rng.integers(0, 250, len(person)) * 1e-4
    names = tuple("abcdefghij"[:persons])
    return Traces("Europe/Paris", names, person, time, *place)
