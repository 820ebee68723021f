"""Every aggregate that a private table answers, and all of Python's questions."""

from __future__ import annotations

from sfumato.release.answer import counts, moments, ranks

AGGREGATES = (*counts.AGGREGATES, *moments.AGGREGATES, *ranks.AGGREGATES)


class Questions(counts.Counts, moments.Moments, ranks.Ranks):
    """The questions of a `Session`, in Python's words.

    Every method takes conditions (`where`), the name of a public table (`join`) and an offer: its price (`epsilon`,
    `epsilon` and `delta`, or `rho`), `confidence` and `request`.
    """
