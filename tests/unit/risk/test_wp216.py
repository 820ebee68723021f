"""The regulator's three questions by formula."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from sfumato.errors import ParameterError
from sfumato.risk.wp216 import Tolerance, farthest, highest_posterior, share_determined, wp216
from sfumato.summary.classes import Classes
from sfumato.summary.histogram import distribution_of
from sfumato.testing import strategies
from sfumato.testing.examples import classes_with_illness, illness

ACCEPTED = Tolerance(k=5, risk=0.2, posterior=0.8, distance=0.3)


def ask(classes, population_size=None):
    return {(a.criterion, a.test): a for a in wp216(classes, tolerance=ACCEPTED, population_size=population_size)}


def verdicts(classes, criterion, population_size=None):
    return [a.verdict for (c, _), a in ask(classes, population_size).items() if c == criterion]


def test_a_person_alone_is_singled_out():
    found = ask(classes_with_illness([[1, 0], [4, 4]]))
    alone = found["singling out", "persons alone in the release"]
    assert (alone.value, alone.verdict) == (pytest.approx(1 / 9), "elevated")


def test_a_crowd_of_exactly_k_is_large_enough():
    assert verdicts(classes_with_illness([[3, 2], [4, 4]]), "singling out", 1000)[:2] == ["low", "low"]
    assert verdicts(classes_with_illness([[2, 2], [4, 4]]), "singling out", 1000)[:2] == ["low", "elevated"]


def test_what_cannot_be_computed_is_inconclusive_never_low():
    """No population size, no sensitive column."""
    sizes = np.array([1, 6])
    found = ask(Classes(np.array([[0], [1]]), rows=sizes, alone=sizes))
    for key in [
        ("singling out", "persons alone in the population"),
        ("inference", "certainty about a sensitive value"),
    ]:
        assert found[key].verdict == "inconclusive"
        assert found[key].value is None
        assert "Not computed" in found[key].definition


def test_where_nobody_is_alone_in_the_release_nobody_published_is_alone_in_the_population():
    found = ask(classes_with_illness([[3, 2], [4, 4]]))["singling out", "persons alone in the population"]
    assert (found.value, found.verdict) == (0.0, "low")


def test_linkability_reads_the_population():
    classes = replace(classes_with_illness([[1, 0]]), population=np.array([50]))
    found = ask(classes)
    assert found["linkability", "surest link of a person known to be in the table"].verdict == "elevated"
    assert found["linkability", "surest link of a person of the population"].value == 0.02
    assert found["linkability", "rightly linked share of the table"].verdict == "low"


def test_a_class_with_one_illness_determines_it():
    found = ask(classes_with_illness([[5, 0], [3, 4]]))
    determined = found["inference", "persons whose illness is determined"]
    assert (determined.value, determined.verdict) == (pytest.approx(5 / 12), "elevated")


def test_each_sensitive_column_is_asked():
    classes = classes_with_illness([[5, 5]])
    renamed = replace(classes.histograms[0], attribute=replace(classes.histograms[0].attribute))
    column = replace(renamed.attribute.column, name="drug")
    other = replace(renamed, attribute=replace(renamed.attribute, column=column))
    two = replace(classes, histograms=(*classes.histograms, other))
    assert len(verdicts(two, "inference")) == 6


@given(strategies.classes())
def test_inference_equals_its_definition_on_dense_counts(classes):
    d = distribution_of(classes, strategies.SENSITIVE)
    dense = np.zeros((classes.n_classes, len(d.total)))
    dense[d.owner, d.value] = d.count
    told = dense[dense.sum(axis=1) > 0]
    shares = told / told.sum(axis=1, keepdims=True)
    assert highest_posterior(d) == pytest.approx(shares.max(initial=0))
    homogeneous = told[(shares == 1).any(axis=1)].sum() / max(told.sum(), 1)
    assert share_determined(d) == pytest.approx(homogeneous)
    if d.total.sum():
        place = d.attribute.positions if len(d.attribute.positions) == len(d.total) else np.arange(len(d.total))
        order = [i for i in np.argsort(place, kind="stable") if d.total[i] > 0]
        gaps = (shares - d.total / d.total.sum())[:, order]
        ordered = abs(np.cumsum(gaps, axis=1)).sum(axis=1) / max(len(order) - 1, 1)
        assert farthest(d) == pytest.approx(ordered.max(initial=0))


def test_text_is_compared_by_the_equal_distance():
    found = wp216(classes_with_illness([[10, 0], [0, 10]]), tolerance=ACCEPTED, population_size=None)
    distance = next(a for a in found if a.test.startswith("distance"))
    assert distance.value == pytest.approx(0.5)
    assert "equal distance" in distance.definition


def test_a_column_without_any_value_is_inconclusive():
    classes = classes_with_illness([[5, 5]])
    h = classes.histograms[0]
    tree = h.attribute.hierarchy
    missing = replace(tree, labels=((None, "b"), tree.labels[1]))
    only = replace(h, attribute=replace(h.attribute, hierarchy=missing), value=np.zeros(1, int), owner=np.zeros(1, int))
    only = replace(only, count=np.array([10]), total=np.array([10, 0]))
    assert verdicts(replace(classes, histograms=(only,)), "inference") == ["inconclusive"] * 3


@pytest.mark.parametrize("criterion", ["singling out", "linkability", "inference"])
def test_no_test_applies_to_a_release_of_nobody(criterion):
    none = classes_with_illness([[1, 1]]).select(np.array([False]))
    assert verdicts(none, criterion) == ["not applicable"] * 3


def test_the_certainty_of_a_guess():
    assert highest_posterior(illness([[3, 1]])) == 0.75


@pytest.mark.parametrize("wrong", [{"k": 0}, {"risk": 1.5}, {"posterior": -1}, {"distance": 20}])
def test_tolerances_outside_their_range_are_refused(wrong):
    with pytest.raises(ParameterError):
        Tolerance(**{"k": 5, "risk": 0.2, "posterior": 0.8, "distance": 0.3, **wrong})
