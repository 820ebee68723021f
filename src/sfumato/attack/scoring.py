"""How a judge scores an attack: on the persons who are in the release, by a rate, and by its excess over a control.

An attack that is right about persons who are not in the release has learned of the population, not of a person. So
every rate stands beside the rate on a control group, and the risk is what the first has in excess.

A release may be a sample, or have lost rows. Persons who are not in it cannot be harmed by it, and a rate over them
would call a sample harmless because it is small. The judge knows both tables but no links between them, so the
released rows are laid on the persons they could be: each row on one person, no person under more rows than they have.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.attack.assignment import zero_pairs
from sfumato.attack.singling_out import Persons
from sfumato.frozen import dataclass
from sfumato.summary.histogram import add_by_owner
from sfumato.summary.interval import wilson

if TYPE_CHECKING:
    from sfumato.attack.singling_out import Predicates
    from sfumato.summary.interval import Interval
    from sfumato.summary.published import Published
    from sfumato.types import FloatArray, IntArray

Verdict = Literal["low", "elevated", "inconclusive", "not applicable"]
Score = Literal["excess", "rate"]
"""What is held against the tolerance: the excess over the control group, or the rate itself."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Successes of so many guesses.

    Args:
        successes: 0 … n.
        n: guesses, >= 1.
        confidence: of the interval, in (0, 1).
    """

    successes: int
    n: int
    confidence: float

    @property
    def value(self) -> float:
        """Share of the guesses that were right."""
        return self.successes / self.n

    @property
    def interval(self) -> Interval:
        """Wilson's interval of the chance of a right guess.

        Raises:
            ParameterError: no guess, or a confidence outside (0, 1). Remedy: guess at least once.
        """
        return wilson(self.successes, self.n, self.confidence)


@dataclass(frozen=True, slots=True)
class Excess:
    """What an attack reaches beyond its control group, as a share of what the control leaves open; in [0, 1].

    Args:
        value: the share.
        low: lower end of its interval.
        high: upper end.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Judged:
    """On whom an attack was judged.

    Args:
        persons: persons of the original who are in the release; guesses are made about some of them.
        left_out: persons of the original who are not, and whom the release cannot harm.
    """

    persons: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Trial:
    """One attack that was carried out, or the reason why it was not.

    Args:
        attack: its name.
        target: what was guessed: a column, or words.
        criterion: which of the three questions of WP216 it answers; None: none of them.
        definition: what counts as a success, and against what it is held.
        main: rate on persons of the release; None: the attack could not be carried out.
        control: rate on persons who are not in it; None: there is none.
        baseline: rate of a guess that does not look at the release; None: not defined.
        score: what is held against the tolerance.
        complete: whether the whole release could be read as true; an attack that could not is never called low.
        applicable: whether the release publishes anybody at all.
        judged: on whom it was judged; None: it was not carried out.
    """

    attack: str
    target: str
    criterion: str | None
    definition: str
    main: Rate | None
    control: Rate | None = None
    baseline: float | None = None
    score: Score = "excess"
    complete: bool = True
    applicable: bool = True
    judged: Judged | None = None

    @property
    def risk(self) -> Excess | None:
        """What is held against the tolerance; None where the attack or its control is missing."""
        if self.main is None or (self.score == "excess" and self.control is None):
            return None
        if self.score == "rate" or self.control is None:
            bounds = self.main.interval
            return Excess(self.main.value, bounds.low, bounds.high)
        return excess(self.main, self.control)

    def verdict(self, tolerance: float) -> Verdict:
        """`low` if even the upper end is tolerated, `elevated` if not even the lower, else `inconclusive`.

        An attack that could not be carried out is inconclusive; where nobody is published, none is applicable.

        Args:
            tolerance: largest accepted risk, in [0, 1].

        Example:
            >>> plain = Trial("", "", None, "", Rate(90, 100, 0.95), Rate(20, 100, 0.95))
            >>> plain.verdict(0.2), plain.verdict(0.95), plain.verdict(0.85)
            ('elevated', 'low', 'inconclusive')
        """
        found = self.risk
        if not self.applicable:
            return "not applicable"
        if found is None:
            return "inconclusive"
        if found.high <= tolerance:
            return "low" if self.complete else "inconclusive"
        return "elevated" if found.low > tolerance else "inconclusive"


def excess(main: Rate, control: Rate) -> Excess:
    """(m - c)/(1 - c), where m and c are the middles of Wilson's intervals of the two rates.

    With half-widths e and f its own half-width is √((e/(1 - c))² + (f (1 - m)/(1 - c)²)²), the two rates taken for
    independent. Where the control guesses about the same persons without their own rows, the rates move together and
    the true interval is shorter.

    Args:
        main: rate on persons of the release.
        control: rate on persons who are not in it.

    Returns:
        Value and ends, each cut to [0, 1].

    Source:
        M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnádi, "A Unified Framework for Quantifying Privacy Risk in
        Synthetic Data", PoPETs 2023(2), section 4.

    Example:
        >>> found = excess(Rate(300, 1000, 0.95), Rate(200, 1000, 0.95))
        >>> round(found.value, 6), round(found.high - found.value, 6)
        (0.124701, 0.044686)
    """
    m, e = _middle(main)
    c, f = _middle(control)
    value = (m - c) / (1 - c)
    half = sqrt((e / (1 - c)) ** 2 + (f * (1 - m) / (1 - c) ** 2) ** 2)
    return Excess(_cut(value), _cut(value - half), _cut(value + half))


def _middle(rate: Rate) -> tuple[float, float]:
    """Middle and half-width of Wilson's interval."""
    bounds = rate.interval
    return (bounds.low + bounds.high) / 2, (bounds.high - bounds.low) / 2


def _cut(value: float) -> float:
    """The number within [0, 1]."""
    return min(1.0, max(0.0, value))


_ROUNDS = 200
_ENOUGH = 1e-9


def present(published: Published, persons: Persons, groups: Predicates) -> Persons:
    """The persons who are in the release, as far as labels and values tell.

    Everybody, where the release has as many rows as the table has persons, suppressed rows included, or where the
    labels that could be read place nobody. Else each kind of person by the expected number of released rows that are
    theirs, rounded so that the total is right: exact where rows are published as they are.

    Args:
        published: the release.
        persons: those of the original table.
        groups: the distinct released rows (`singling_out.of_classes` or `of_values`).

    Example:
        >>> from sfumato.attack.singling_out import ANY, of_classes
        >>> from sfumato.testing.examples import release_by_age
        >>> table = release_by_age(["17", "20"], [1, 2])
        >>> four = Persons(np.array([[0], [1], [2]]), np.full(3, ANY), np.array([2, 2, 1]))
        >>> present(table, four, of_classes(table)).count.tolist()
        [1, 2, 0]
    """
    if _everybody(published, persons, groups) or not published.is_understood:
        return persons
    person, _, rows = likely_places(published, persons, groups)
    expected = add_by_owner(rows, person, len(persons.count))
    if not expected.any():
        return persons
    return Persons(persons.codes, persons.value, np.minimum(_rounded(expected), persons.count))


def likely_places(published: Published, persons: Persons, groups: Predicates) -> tuple[IntArray, IntArray, FloatArray]:
    """Where persons truly are, as far as labels tell: person, group and expected persons of each pair that goes.

    Where everybody is in the release, in each group that could hold a person by the rows of the group: exact where the
    labels of classes are disjoint, as a full-domain generalization has them. Where rows are fewer, every row is laid on
    those it could be, by proportional fitting to the rows of each group and the persons of each kind.

    Args:
        published: the release.
        persons: the original rows.
        groups: the released rows.

    Returns:
        (n_pairs,) int64 person, int64 group, float64 expected persons, sorted by person.

    Source:
        W. E. Deming and F. F. Stephan, "On a Least Squares Adjustment of a Sampled Frequency Table When the Expected
        Marginal Totals are Known", Annals of Mathematical Statistics 11(4), 1940, for proportional fitting.
    """
    person, group = zero_pairs(published, persons, groups)
    rows = groups.count[group].astype(np.float64)
    whole = add_by_owner(rows, person, len(persons.count))
    first = persons.count[person] * rows / whole[person]
    if _everybody(published, persons, groups):
        return person, group, first
    return person, group, _fitted(first, (person, persons.count), (group, groups.count))


def _everybody(published: Published, persons: Persons, groups: Predicates) -> bool:
    """Whether there is a released row for every person."""
    return int(groups.count.sum()) + published.suppressed_rows >= int(persons.count.sum())


def _fitted(flow: FloatArray, persons: tuple[IntArray, IntArray], groups: tuple[IntArray, IntArray]) -> FloatArray:
    """The flow with the rows of each group as its sum, and at most the persons of each kind."""
    for _ in range(_ROUNDS):
        into = np.bincount(groups[0], weights=flow, minlength=len(groups[1]))  # unsorted
        flow = flow * np.divide(groups[1], into, out=np.zeros(len(into)), where=into > 0)[groups[0]]
        out = add_by_owner(flow, persons[0], len(persons[1]))
        over = np.divide(persons[1], out, out=np.ones(len(out)), where=out > 0)
        if (over >= 1 - _ENOUGH).all():
            break
        flow = flow * np.minimum(over, 1.0)[persons[0]]
    return flow


def _rounded(expected: FloatArray) -> IntArray:
    """Whole numbers, each next to its own, that add up to the rounded sum."""
    near = np.rint(expected)
    expected = np.where(np.abs(expected - near) < 1e-6, near, expected)
    ends = np.floor(np.cumsum(expected) + 0.5 + 1e-9)
    return np.diff(ends, prepend=0.0).astype(np.int64)
