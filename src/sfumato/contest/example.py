"""A contest to begin with: a drawn town, whose persons sleep, work and go out, and the document beside it."""

from __future__ import annotations

import numpy as np

from sfumato.contest.insanonym.game import SHAPE
from sfumato.contest.writing import written_lines
from sfumato.table.lines import Labels, Lines

FIRST_DAY = 20_514
"""A Monday, 2026-03-02, in days since 1970."""
_STEP, _FROM, _UNTIL = 30, 7, 23
"""Minutes between positions, and the hours of a day in which there are some."""
_TOWN = (47.08, 2.40)
_NEAR = 0.0008
"""Degrees by which a position is off its place."""
DOCUMENT = """format = "sfumato.contest/1"
name = "{name}"
game = "insanonym"

[table]
original = "original.tsv"

[limits]
bytes = 20000000
seconds = 60

[quota]
submissions = 20
published = 3
attacks = 10
"""


def example_document(name: str) -> str:
    """The document of the example; it has no phases, so that everything may be handed in at once."""
    return DOCUMENT.format(name=name)


def example_table(persons: int, weeks: int, *, seed: int) -> bytes:
    r"""Positions of persons of a town that is drawn, as `insanonym` has them.

    Everybody has a home, a place of work and one for evenings; a third of all evenings are spent there. Some carry their
    device more than others. Nobody in it is real: what attacks find here says nothing of other tables.

    Args:
        persons: >= 1.
        weeks: >= 1, from a Monday.
        seed: the same town for the same one.

    Example:
        >>> text = example_table(2, 1, seed=1).decode().splitlines()
        >>> len(text), text[0].split("\t")[:2]
        (313, ['2', '2026-03-02 07:00:00'])
    """
    rng = np.random.default_rng(seed)
    places = np.array(_TOWN) + rng.normal(0, 0.03, (persons, 3, 2))
    minutes = np.arange(_FROM * 60, _UNTIL * 60, _STEP)
    days = np.arange(FIRST_DAY, FIRST_DAY + 7 * weeks)
    who, day, minute = (part.ravel() for part in np.meshgrid(np.arange(persons), days, minutes, indexing="ij"))
    works = ((day - FIRST_DAY) % 7 < 5) & (minute >= 9 * 60) & (minute < 17 * 60)
    goes_out = rng.random((persons, len(days))) < 1 / 3
    out = goes_out[who, day - FIRST_DAY] & (minute >= 19 * 60)
    at = places[who, np.where(works, 1, np.where(out, 2, 0))] + rng.normal(0, _NEAR, (len(who), 2))
    order = np.lexsort((who, minute, day))
    order = order[rng.random(len(order)) < rng.uniform(0.6, 1, persons)[who[order]]]
    names, code = np.unique([str(i + 1) for i in range(persons)], return_inverse=True)
    columns = {
        "id": Labels(tuple(names.tolist()), code[who[order]]),
        "date": (day * 86_400 + minute * 60)[order],
        "latitude": at[order, 0].round(6),
        "longitude": at[order, 1].round(6),
    }
    return written_lines(Lines(columns, len(order)), SHAPE)
