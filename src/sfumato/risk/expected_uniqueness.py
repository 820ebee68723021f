"""How many persons of a place are alone with their sex and birth date, if only the number of persons is known?"""

from __future__ import annotations

from math import exp, log, log1p

from sfumato.errors import ParameterError

DAYS = 365.25
"""Days of a year."""


def share_alone(persons: float, cells: float) -> float:
    """Expected share of persons who are alone in their cell, when all cells are equally likely.

    Formula: (1 - 1/c)^(m - 1) for m persons and c cells: none of the m - 1 others falls in the same cell.

    Args:
        persons: m >= 1.
        cells: c > 1, such as 2 sexes × 365.25 days × 80 years.

    Raises:
        ParameterError: numbers outside their ranges.

    Source:
        P. Golle, "Revisiting the Uniqueness of Simple Demographics in the US Population", WPES 2006, section 3.

    Example:
        >>> round(share_alone(27_000, 2 * DAYS * 80), 3)
        0.63
    """
    if not (persons >= 1 and cells > 1):
        raise ParameterError(
            "There must be a person and two cells; got {persons:g} and {cells:g}.",
            "give more.",
            persons=persons,
            cells=cells,
        )
    return exp((persons - 1) * log1p(-1 / cells))


def persons_for(share: float, cells: float) -> float:
    """How many persons of a place make that share of them alone: the inverse of `share_alone`.

    Args:
        share: in (0, 1].
        cells: c > 1.

    Raises:
        ParameterError: numbers outside their ranges.

    Example:
        >>> round(persons_for(0.87, 2 * DAYS * 80))
        8139
    """
    if not (0 < share <= 1 and cells > 1):
        raise ParameterError(
            "A share lies in (0, 1]; got {share:g}.", "give such a share and at least two cells.", share=share
        )
    return 1 + log(share) / log1p(-1 / cells)
