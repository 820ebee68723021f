"""What is known when only some rows are released: the sample, beside the table that it was drawn from.

Each row stays with the same probability, by a coin of its own, before anything else is decided. The table is then the
population of the release: F, the rows of a class in the table, stands beside f, its rows in the sample.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PlanError
from sfumato.numbers.exact import written
from sfumato.summary.classes import Classes
from sfumato.summary.places import places

if TYPE_CHECKING:
    from sfumato.document.plan import SampleTable
    from sfumato.release.plan import Plan
    from sfumato.summary.histogram import Histogram
    from sfumato.types import IntArray


def probability_from(said: SampleTable) -> Fraction:
    """[sample]: `probability`, as a number or a text such as "1/3".

    Raises:
        PlanError: no number above 0 and below 1.
    """
    given = said.probability
    try:
        number = written(given)
    except ValueError:
        number = Fraction(0)
    if isinstance(given, bool) or not 0 < number < 1:
        raise PlanError(
            "`probability` in [sample] must lie above 0 and below 1; got {given!r}.",
            'give such as 0.1 or "1/3".',
            given=given,
        )
    return number


def with_population(sample: Classes, whole: Classes) -> Classes:
    """The classes of a sample, with the persons of the whole table beside them.

    Args:
        sample: distinct tuples of the sampled rows.
        whole: distinct tuples of all rows, in the same codes; every tuple of the sample is among them.

    Returns:
        One class for each tuple of the whole table; those of which no row was sampled have 0 rows.

    Example:
        >>> whole = Classes(np.array([[0], [1]]), rows=np.array([5, 2]), alone=np.array([5, 2]))
        >>> sample = Classes(np.array([[0]]), rows=np.array([3]), alone=np.array([3]))
        >>> both = with_population(sample, whole)
        >>> both.rows.tolist(), both.population.tolist()
        ([3, 0], [5, 2])
    """
    place = places(sample.codes, whole.codes)

    def spread_out(values: IntArray) -> IntArray:
        out = np.zeros(whole.n_classes, np.int64)
        out[place] = values
        return out

    spread = None if sample.spread is None else replace(sample.spread, owner=place[sample.spread.owner])
    return Classes(
        codes=whole.codes,
        rows=spread_out(sample.rows),
        alone=spread_out(sample.alone),
        spread=spread,
        population=whole.persons,
        personal_k=None if sample.personal_k is None else spread_out(sample.personal_k),
        histograms=tuple(_moved(h, place) for h in sample.histograms),
        beside=tuple(_moved(h, place) for h in sample.beside),
    )


def _moved(histogram: Histogram, place: IntArray) -> Histogram:
    """The histogram with its classes renumbered; `place` increases."""
    repeats = histogram.repeats
    repeats = None if repeats is None else replace(repeats, owner=place[repeats.owner])
    return replace(histogram, owner=place[histogram.owner], repeats=repeats)


def check_sample(plan: Plan) -> None:
    """A sample makes its own population, so no other may be given.

    Raises:
        PlanError: a column marks the rows to publish. Remedy: keep one of the two.
    """
    if plan.sample is not None and plan.population.subset is not None:
        raise PlanError(
            "A plan either samples its rows or publishes marked ones; this one does both.",
            "remove [sample], or `subset` in [population].",
        ).below("sample")
