"""From a partition to what keeps every promise."""

import numpy as np
import pytest
from tests.unit.mechanism.recode.raw_tables import attributes

from sfumato.errors import NoSolution
from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.delta_presence import DeltaPresence
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.local_recoding import LocalRecoding
from sfumato.mechanism.recode.mondrian.mondrian import Mondrian
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.settle import repair
from sfumato.mechanism.recode.partition.splits import table_of
from sfumato.summary.classes import Classes


def ages(rows, population=None):
    """One tuple for each of the first ages."""
    codes = np.stack([np.arange(len(rows)), np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)], axis=1)
    counts = np.array(rows)
    return Classes(codes, rows=counts, alone=counts, population=None if population is None else np.array(population))


def test_classes_that_fail_are_joined_to_the_nearest_ones():
    finest = ages([3, 1, 3, 3])
    table = table_of(axes_of(attributes(), finest.codes, Publish.COVERS), Judge(finest, (KAnonymity(3),)))
    labelled = repair(table, attributes(), Publish.COVERS, np.arange(4))
    assert sorted(labelled.labels()[0]) == ["20", "25", "[17, 18]"]


def test_a_mean_risk_is_met_by_classes_that_are_large_enough_on_average():
    finest = ages([1] * 7)
    for method in (LocalRecoding((AverageRisk(0.3),)), Mondrian((AverageRisk(0.3),))):
        decision = method.decide(finest, attributes())
        assert decision.published.n_classes / 7 <= 0.3


def test_a_mean_risk_that_even_one_class_exceeds_has_no_solution():
    with pytest.raises(NoSolution, match="whole table"):
        LocalRecoding((AverageRisk(0.3),)).decide(ages([1] * 3), attributes())


def test_classes_known_only_from_the_population_are_judged_but_not_published():
    finest = ages([2, 0, 2, 0], population=[4, 1, 4, 5])
    decision = LocalRecoding((DeltaPresence(0.0, 0.5),)).decide(finest, attributes())
    share = decision.published.rows / decision.published.population
    assert (share <= 0.5).all()
    assert decision.published.rows.sum() == 4
    assert (decision.published.rows > 0).all()
