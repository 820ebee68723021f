"""The regulator's three questions by formula: can persons be singled out, linked or inferred about.

Each question has several tests; each test a value, a threshold and a verdict. A test that cannot be
computed is inconclusive, never low; where the table publishes nobody, none is applicable. A low verdict is evidence by formula, not proof: attacks with a
control group stand beside it as answers of the same form.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.risk import intruders
from sfumato.summary.distance import distances
from sfumato.summary.histogram import distribution_of
from sfumato.summary.uniqueness import dankar

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.summary.histogram import Distribution
    from sfumato.types import IntArray

SOURCE = "Article 29 Working Party, Opinion 05/2014 on Anonymisation Techniques (WP216), section 3"

Verdict = Literal["low", "elevated", "inconclusive", "not applicable"]
Criterion = Literal["singling out", "linkability", "inference"]

_QUESTIONS: dict[Criterion, str] = {
    "singling out": "Is it still possible to single out a person?",
    "linkability": "Is it still possible to link the rows of a person?",
    "inference": "Can information be inferred concerning a person?",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """One test of one of the three questions.

    Args:
        criterion: which of the three risks.
        question: the question in the opinion's words.
        test: what was computed.
        value: what came out; None: it could not be computed.
        threshold: the value above which the verdict is `elevated`.
        verdict: of the test; not applicable where there is nobody to judge.
        definition: one sentence with formula and denominator, or why it could not be computed.
        by: whether it was computed or tried.
        low: lower end of the interval of `value`; None: it has none.
        high: upper end.
    """

    criterion: Criterion
    question: str
    test: str
    value: float | None
    threshold: float
    verdict: Verdict
    definition: str
    by: Literal["formula", "attack"] = "formula"
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What a data protection officer accepts. No value has a default.

    Args:
        k: least crowd that a person must stand in, >= 1.
        risk: largest accepted risk of re-identification, in [0, 1].
        posterior: largest accepted certainty about a sensitive value, in [0, 1].
        distance: largest accepted distance between the sensitive values of a class and of the table, in [0, 1].

    Raises:
        ParameterError: a number outside its range. Remedy: as the message says.
    """

    k: int
    risk: float
    posterior: float
    distance: float

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ParameterError("`k` must be a whole number >= 1; got {k}.", "choose k >= 2.", k=self.k)
        for share in (self.risk, self.posterior, self.distance):
            intruders.check_threshold(share)


def wp216(classes: Classes, *, tolerance: Tolerance, population_size: int | None) -> tuple[Answer, ...]:
    """The three questions asked of a released table.

    Args:
        classes: classes of the release, suppressed rows left out, with a histogram for each sensitive
            column; their `total` is the distribution in the original table.
        tolerance: what is accepted.
        population_size: persons in the population that the table was sampled from; None: not known.

    Returns:
        The answers, by criterion; inference once for each sensitive column.

    Source:
        Article 29 Working Party, Opinion 05/2014 on Anonymisation Techniques (WP216), section 3.

    Example:
        >>> import numpy as np
        >>> from sfumato.summary.classes import Classes
        >>> sizes = np.array([5, 6])
        >>> accepted = Tolerance(k=5, risk=0.2, posterior=0.8, distance=0.5)
        >>> answers = wp216(Classes(np.array([[0], [1]]), rows=sizes, alone=sizes), tolerance=accepted, population_size=None)
        >>> [(a.criterion, a.verdict) for a in answers][::3]
        [('singling out', 'low'), ('linkability', 'low'), ('inference', 'inconclusive')]
    """
    persons = classes.persons
    inside = persons > 0
    sizes = persons[inside]
    population = None if classes.population is None else classes.population[inside]
    answers = (
        *_singling_out(sizes, tolerance, population_size),
        *_linkability(sizes, population, tolerance),
        *_inference(classes, tolerance),
    )
    return answers if len(sizes) else tuple(_of_nobody(answer) for answer in answers)


def _of_nobody(answer: Answer) -> Answer:
    """The same test where nobody is published."""
    why = "There is nothing to judge: the table publishes nobody."
    return replace(answer, value=None, verdict="not applicable", definition=why)


def question_of(criterion: Criterion) -> str:
    """The question in the opinion's words.

    Example:
        >>> question_of("inference")
        'Can information be inferred concerning a person?'
    """
    return _QUESTIONS[criterion]


def _singling_out(sizes: IntArray, tolerance: Tolerance, population_size: int | None) -> tuple[Answer, ...]:
    """Is anyone alone, or in a crowd below k?"""
    alone = intruders.sample_uniqueness(sizes)
    expected, why = _alone_in_population(sizes, alone, population_size)
    return (
        _answer(
            "singling out",
            "persons alone in the release",
            alone,
            0.0,
            "Share of the published persons whose quasi-identifiers nobody else shares.",
        ),
        _answer(
            "singling out",
            f"persons in a crowd below {tolerance.k}",
            intruders.share_below(sizes, tolerance.k),
            0.0,
            f"Share of the published persons in classes of fewer than {tolerance.k}.",
        ),
        _answer(
            "singling out",
            "persons alone in the population",
            expected,
            tolerance.risk,
            why,
        ),
    )


def _alone_in_population(sizes: IntArray, alone: float, population_size: int | None) -> tuple[float | None, str]:
    """Share of the population that is unique in it, and how it is known."""
    if alone == 0:
        return 0.0, "Nobody is alone in the release, so no published person is alone in any population."
    if population_size is None:
        return None, "Not computed: the size of the population was not given."
    expected = dankar(sizes, population_size)
    if expected is None:
        return None, "Not computed: no estimator has a solution on these class sizes."
    return expected, "Estimated share of the population that is unique in it, by Dankar's rule."


def _linkability(sizes: IntArray, population: IntArray | None, tolerance: Tolerance) -> tuple[Answer, ...]:
    """How surely does a match by quasi-identifiers hit the right person?"""
    big = sizes if population is None else population
    note = "" if population is not None else " The table is taken for the population, which can only overstate it."
    return (
        _answer(
            "linkability",
            "surest link of a person known to be in the table",
            intruders.highest(sizes),
            tolerance.risk,
            "Highest prosecutor risk: 1 / min f.",
        ),
        _answer(
            "linkability",
            "surest link of a person of the population",
            intruders.journalist_highest(big),
            tolerance.risk,
            f"Highest journalist risk: 1 / min F over the published classes.{note}",
        ),
        _answer(
            "linkability",
            "rightly linked share of the table",
            intruders.marketer(sizes, big),
            tolerance.risk,
            f"Marketer risk: (1/n) sum of f/F.{note}",
        ),
    )


def _inference(classes: Classes, tolerance: Tolerance) -> tuple[Answer, ...]:
    """What does the class tell of the sensitive value?"""
    if not classes.histograms:
        reason = "Not computed: no sensitive column was declared."
        return (_answer("inference", "certainty about a sensitive value", None, tolerance.posterior, reason),)
    names = [histogram.attribute.name for histogram in classes.histograms]
    return tuple(answer for name in names for answer in _inference_of(distribution_of(classes, name), tolerance))


def _inference_of(d: Distribution, tolerance: Tolerance) -> tuple[Answer, ...]:
    """Certainty, determined persons and distance for one sensitive column."""
    name, told = d.attribute.name, bool(d.total.sum())
    return (
        _answer(
            "inference",
            f"certainty about {name}",
            highest_posterior(d) if told else None,
            tolerance.posterior,
            "Largest share that one value has in a class; persons whose value is missing are left out.",
        ),
        _answer(
            "inference",
            f"persons whose {name} is determined",
            share_determined(d) if told else None,
            0.0,
            "Share of the persons with a value who are in classes with one value only.",
        ),
        _answer(
            "inference",
            f"distance of {name} from the table",
            farthest(d) if told else None,
            tolerance.distance,
            f"Largest {ground_of(d)} distance (as in t-closeness) of the values of a class from those of the original table.",
        ),
    )


def _answer(criterion: Criterion, test: str, value: float | None, threshold: float, definition: str) -> Answer:
    verdict: Verdict = "inconclusive" if value is None else "elevated" if value > threshold else "low"
    return Answer(criterion, _QUESTIONS[criterion], test, value, threshold, verdict, definition)


def highest_posterior(d: Distribution) -> float:
    """The largest share that one sensitive value has in a class; 0 without a class.

    Args:
        d: the sensitive column by class.

    Source:
        A. Machanavajjhala et al., "l-Diversity", ACM TKDD 1(1), 2007, section 3.

    Example:
        >>> from sfumato.testing.examples import illness
        >>> highest_posterior(illness([[3, 1], [1, 1]])), share_determined(illness([[3, 0], [1, 0], [1, 1]]))
        (0.75, 0.6666666666666666)
    """
    return float((_largest(d) / np.maximum(d.sizes, 1)).max(initial=0.0))


def share_determined(d: Distribution) -> float:
    """Share of the persons with a value whose class holds one sensitive value only: the homogeneity attack."""
    one = _largest(d) == d.sizes
    return int(d.sizes[one].sum()) / max(int(d.sizes.sum()), 1)


def farthest(d: Distribution) -> float:
    """Largest distance between a class with values and the original table.

    Numbers and dates are compared by the ordered distance, in which near values are near; text by the
    equal distance, (1/2) sum of |p - q|.

    Source:
        N. Li et al., "t-Closeness", ICDE 2007, section 4.

    Example:
        >>> from sfumato.testing.examples import illness
        >>> farthest(illness([[4, 0], [0, 4]]))
        0.5
    """
    top, bottom = distances(d, d.total, ground_of(d))
    told = d.sizes > 0
    return float(np.asarray(top[told] / bottom[told], np.float64).max(initial=0.0))


def ground_of(d: Distribution) -> Literal["equal", "ordered"]:
    """The ground distance that fits the kind of the column."""
    return "ordered" if d.attribute.column.kind.is_ordered else "equal"


def _largest(d: Distribution) -> IntArray:
    """(n_classes,) int64: persons with the most frequent value of each class."""
    out = np.zeros(d.n_classes, np.int64)
    np.maximum.at(out, d.owner, d.count)
    return out
