"""All risk figures of a table, by formula, in one fixed order.

The same names come out for a table before and after, so that they can be set side by side.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.risk import individual, intruders
from sfumato.summary import uniqueness
from sfumato.summary.figure import Figure

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import IntArray

_NO_POPULATION = " The population is not known: the table is taken for it, which can only overstate the risk."

_ESTIMATORS: tuple[tuple[Literal["zayatz", "pitman", "snb", "dankar"], str, str, str], ...] = (
    (
        "zayatz",
        "Zayatz",
        "sample uniques times the estimated chance that such a one is unique in the population",
        "L. Zayatz, US Bureau of the Census, 1991",
    ),
    (
        "pitman",
        "Pitman",
        "Gamma(theta+1)/Gamma(theta+alpha) N^(alpha-1), theta and alpha by maximum likelihood",
        "N. Hoshino, J. Official Statistics 17(4), 2001, equations 6 and 7",
    ),
    (
        "snb",
        "shifted negative binomial",
        "K beta^alpha / N, fitted to the classes of one and of two",
        "G. Chen, S. Keller-McNulty, J. Official Statistics 14(1), 1998",
    ),
    (
        "dankar",
        "Dankar's rule",
        "Pitman up to a sampling fraction of 0.1, else the lesser of Zayatz and SNB",
        "F. Dankar et al., BMC Medical Informatics and Decision Making 12:66, 2012",
    ),
)


def risk_profile(classes: Classes, *, threshold: float, population_size: int | None) -> tuple[Figure, ...]:
    """Every risk figure of a table.

    f is the number of persons in a class, n their sum over the classes, F the persons of a known
    population in it. Suppressed rows belong to no class and are not counted.

    Args:
        classes: classes of the table, suppressed rows left out. Where `population` is set the
            journalist's and the marketer's risk are read from it.
        threshold: risk above which a person counts as being at risk, in [0, 1].
        population_size: persons in the population that the table was sampled from; None: not known,
            the uniqueness in the population is then not computed (unless `classes.population` is set).

    Returns:
        Figures of the prosecutor, the journalist, the marketer, uniqueness and individual risk; without a value where
        the table publishes nobody.

    Raises:
        ParameterError: the threshold is no share, or the population is smaller than the table.
            Remedy: as the message says.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> sizes = np.array([1, 99])
        >>> two = Classes(np.array([[0], [1]]), rows=sizes, alone=sizes)
        >>> {f.name: f.value for f in risk_profile(two, threshold=0.2, population_size=None)}["prosecutor_average"]
        0.02
    """
    intruders.check_threshold(threshold)
    persons = classes.persons
    inside = persons > 0
    sizes = persons[inside]
    population = None if classes.population is None else classes.population[inside]
    if population is not None:
        intruders.check_population(sizes, population)
    n_population = population_size
    if n_population is None and classes.population is not None:
        n_population = int(classes.population.sum())
    figures = (
        *_prosecutor(sizes, threshold),
        *_journalist(sizes, population, threshold),
        *_uniqueness(sizes, classes.population, n_population),
        *_individual(sizes, n_population),
    )
    return figures if len(sizes) else tuple(replace(figure, value=None) for figure in figures)


def _prosecutor(sizes: IntArray, threshold: float) -> tuple[Figure, ...]:
    """Figures of the intruder who knows that the victim is in the table."""
    figure = partial(Figure, source=intruders.GUIDE)
    return (
        figure(
            "prosecutor_highest",
            "Highest prosecutor risk",
            intruders.highest(sizes),
            "1 / min f: the risk of the persons in the smallest class.",
        ),
        figure(
            "prosecutor_lowest",
            "Lowest prosecutor risk",
            intruders.lowest(sizes),
            "1 / max f: the risk of the persons in the largest class.",
        ),
        figure(
            "prosecutor_average",
            "Average prosecutor risk",
            intruders.average(sizes),
            "Classes / persons: the mean of 1/f over persons.",
        ),
        figure(
            "prosecutor_class_average",
            "Mean of 1/f over classes",
            intruders.class_average(sizes),
            "(1/J) sum of 1/f over the J classes: not the risk of a person, shown because other tools print it.",
        ),
        figure(
            "prosecutor_at_risk",
            "Persons at prosecutor risk",
            intruders.share_at_risk(sizes, threshold),
            f"Share of the persons with 1/f > {threshold:g}.",
        ),
        figure(
            "share_at_highest",
            "Persons at the highest risk",
            intruders.share_at_highest(sizes),
            "Share of the persons in classes of the smallest size.",
        ),
        figure(
            "share_at_lowest",
            "Persons at the lowest risk",
            intruders.share_at_lowest(sizes),
            "Share of the persons in classes of the largest size.",
            better="higher",
        ),
    )


def _journalist(sizes: IntArray, population: IntArray | None, threshold: float) -> tuple[Figure, ...]:
    """Figures of the intruders who know a population only."""
    big = sizes if population is None else population
    note = _NO_POPULATION if population is None else ""
    figure = partial(Figure, source=intruders.GUIDE)
    return (
        figure(
            "journalist_highest",
            "Highest journalist risk",
            intruders.journalist_highest(big),
            f"1 / min F over the published classes.{note}",
        ),
        figure(
            "journalist_average",
            "Average journalist risk",
            intruders.journalist_average(sizes, big),
            f"max(J / sum F, (1/n) sum of f/F).{note}",
        ),
        figure(
            "journalist_at_risk",
            "Persons at journalist risk",
            intruders.journalist_share_at_risk(sizes, big, threshold),
            f"Share of the published persons with 1/F > {threshold:g}.{note}",
        ),
        Figure(
            "marketer",
            "Marketer risk",
            intruders.marketer(sizes, big),
            f"(1/n) sum of f/F: share of the persons that a match at random within the classes names rightly.{note}",
            intruders.MARKETER,
        ),
    )


def _uniqueness(sizes: IntArray, population: IntArray | None, n_population: int | None) -> tuple[Figure, ...]:
    """Uniqueness in the sample, and in the population: known, and by each estimator."""
    figures = [
        Figure(
            "sample_uniqueness",
            "Uniqueness in the table",
            intruders.sample_uniqueness(sizes),
            "Share of the persons who are alone in their class.",
            "C. Skinner, M. Elliot, J. Royal Statistical Society B 64(4), 2002",
        ),
        _known_uniqueness(population),
    ]
    estimates = uniqueness.every_estimate(sizes, n_population) if n_population is not None and len(sizes) else {}
    for name, label, definition, source in _ESTIMATORS:
        value = None
        why = "Not computed: the size of the population was not given"
        if n_population is not None:
            value = estimates.get(name) if len(sizes) else 0.0
            why = "Not computed: the estimator has no solution on these class sizes"
        text = (
            f"Share of a population of {n_population} that is unique in it: {definition}."
            if value is not None
            else f"{why} ({definition})."
        )
        figures.append(
            Figure(f"population_uniqueness_{name}", f"Uniqueness in the population, {label}", value, text, source)
        )
    return tuple(figures)


def _known_uniqueness(population: IntArray | None) -> Figure:
    """Uniqueness in a population that is known class by class."""
    value = None
    text = "Not computed: no population table was given (share of the population that is alone in its class)."
    if population is not None:
        value = intruders.sample_uniqueness(population[population > 0])
        text = "Share of the given population that is alone in its class."
    return Figure(
        "population_uniqueness",
        "Uniqueness in the population, known",
        value,
        text,
        "C. Skinner, M. Elliot, J. Royal Statistical Society B 64(4), 2002",
    )


def _individual(sizes: IntArray, n_population: int | None) -> tuple[Figure, ...]:
    """Expected re-identifications under equal sampling weights."""
    definition = "with E[1/F | f] under the negative binomial law, every person standing for N/n"
    highest = share = None
    if n_population is not None:
        n = max(int(sizes.sum()), 1)
        size, count = np.unique(sizes, return_counts=True)
        risks = individual.individual_risk(size, np.asarray(size * (n_population / n), np.float64))
        highest, share = float(risks.max(initial=0.0)), float((size * count) @ risks) / n
    why = "" if n_population is not None else "Not computed: the size of the population was not given. "
    return (
        Figure(
            "individual_highest",
            "Highest individual risk",
            highest,
            f"{why}Largest individual risk, {definition}.",
            individual.SOURCE,
        ),
        Figure(
            "individual_average",
            "Expected re-identifications",
            share,
            f"{why}(1/n) sum of f E[1/F | f], {definition}.",
            individual.SOURCE,
        ),
    )


def class_size_histogram(sizes: IntArray) -> tuple[tuple[int, int], ...]:
    """(size, number of classes of that size), by size; classes of no person are left out.

    Example:
        >>> class_size_histogram(np.array([1, 3, 1]))
        ((1, 2), (3, 1))
    """
    size, count = np.unique(sizes[sizes > 0], return_counts=True)
    return tuple((int(s), int(c)) for s, c in zip(size, count, strict=True))
