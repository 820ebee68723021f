"""All risk figures together."""

from dataclasses import replace

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.risk.profile import class_size_histogram, risk_profile
from sfumato.summary.classes import Classes, Spread


def classes_of(sizes, population=None):
    sizes = np.array(sizes, np.int64)
    return Classes(
        np.arange(len(sizes))[:, None],
        rows=sizes,
        alone=sizes,
        population=None if population is None else np.array(population),
    )


def values(classes, *, threshold=0.2, population_size=None):
    return {f.name: f.value for f in risk_profile(classes, threshold=threshold, population_size=population_size)}


def test_a_known_population_is_used():
    found = values(classes_of([1, 2, 3, 4], [5, 4, 3, 8]))
    assert found["prosecutor_average"] == 0.4
    assert found["journalist_average"] == pytest.approx(0.22)
    assert found["marketer"] == pytest.approx(0.22)
    assert found["population_uniqueness"] == 0.0


def test_classes_without_published_persons_count_in_the_population_only():
    found = values(classes_of([1, 2, 0, 0], [2, 2, 1, 5]))
    assert found["prosecutor_average"] == pytest.approx(2 / 3)
    assert found["population_uniqueness"] == 0.1


def test_without_a_population_the_journalist_is_bounded_by_the_prosecutor_and_says_so():
    figures = {f.name: f for f in risk_profile(classes_of([1, 2]), threshold=0.2, population_size=None)}
    assert figures["journalist_highest"].value == figures["prosecutor_highest"].value
    assert "can only overstate" in figures["journalist_highest"].definition


def test_without_a_population_size_its_uniqueness_is_not_computed_and_says_why():
    figures = risk_profile(classes_of([1, 2]), threshold=0.2, population_size=None)
    for figure in figures:
        if figure.name.startswith(("population_", "individual_")):
            assert figure.value is None
            assert "Not computed" in figure.definition


def test_the_four_estimators_stand_side_by_side():
    found = values(classes_of([1] * 60 + [2] * 20 + [5] * 8), population_size=1000)
    assert all(0 < found[f"population_uniqueness_{name}"] < 1 for name in ("zayatz", "pitman", "snb", "dankar"))


def test_every_figure_has_a_definition_and_a_source():
    """Users' case E3: one sentence beside every number."""
    for figure in risk_profile(classes_of([1, 2]), threshold=0.2, population_size=100):
        assert figure.definition.endswith(".")
        assert figure.source


def test_names_are_the_same_whatever_is_known():
    bare = values(classes_of([1, 2]))
    known = values(classes_of([1, 2], [3, 2]), population_size=9)
    assert list(bare) == list(known)


def test_persons_are_counted_not_rows():
    """Users' case C10: five rows of one person are one person."""
    classes = replace(classes_of([1]), rows=np.array([5]))
    assert values(classes)["prosecutor_highest"] == 1.0


def test_a_person_in_two_classes_counts_in_both():
    classes = replace(classes_of([1, 1]), spread=Spread(np.array([0, 1]), np.array([7, 7])))
    assert values(classes)["prosecutor_highest"] == 0.5


def test_an_empty_table_has_no_figure():
    assert set(values(classes_of([]), population_size=10).values()) == {None}


def test_a_population_smaller_than_the_table_is_refused():
    with pytest.raises(ParameterError, match="population"):
        values(classes_of([5, 5]), population_size=9)


def test_the_histogram_counts_classes_by_size():
    assert class_size_histogram(np.array([1, 3, 1, 0])) == ((1, 2), (3, 1))
