"""Centers: exact means, rounded once; medians; dates; marks; nodes; missing values."""

import numpy as np
import pytest

from sfumato.mechanism.recode.microaggregation.centers import Center, Spelling, label_groups
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

PLAIN = Spelling({}, {})


def labels(values, groups, *, kind=Kind.DECIMAL, rows=None, spelling=PLAIN, **column):
    """The label of each group of a column."""
    attribute = bind(Column("x", Role.QUASI_IDENTIFYING, kind, **column), values)
    code = {name: i for i, name in enumerate(attribute.hierarchy.labels[0])}
    codes = np.array([[code[value]] for value in values])
    rows = np.ones(len(values), np.int64) if rows is None else np.array(rows)
    found = label_groups(np.array(groups), codes, rows, [attribute], spelling)
    of_group = {g: found.labels()[0][c] for g, c in zip(groups, found.member.tolist(), strict=True)}
    return [of_group[g] for g in range(max(groups) + 1)]


def digits(n):
    """So many digits after the point."""
    return Spelling({}, {"x": n})


def test_means_are_exact_and_rounded_once_to_even():
    assert labels(["1", "2"], [0, 0], kind=Kind.INTEGER) == ["2"]
    assert labels(["2", "3"], [0, 0], kind=Kind.INTEGER) == ["2"]
    assert labels(["-1", "-2"], [0, 0], kind=Kind.INTEGER, spelling=digits(1)) == ["-1.5"]
    assert labels(["0.1", "0.2", "0.3"], [0, 0, 0], spelling=digits(18)) == ["0.2"]
    assert labels(["1", "2", "5"], [0, 0, 0], rows=[1, 1, 4], spelling=digits(2)) == ["3.83"]


def test_means_of_huge_numbers_do_not_overflow():
    a, b = "9000000000000000001", "9000000000000000003"
    assert labels([a, b, "1"], [0, 0, 1]) == ["9000000000000000002", "1"]


def test_digits_follow_the_values_of_the_column():
    assert labels(["1.25", "2", "4"], [0, 0, 0]) == ["2.42"]
    assert labels(["1,25", "2", "4"], [0, 0, 0]) == ["2,42"]


def test_dates_are_whole_days_in_their_own_format():
    assert labels(["2020-01-01", "2020-01-04"], [0, 0], kind=Kind.DATE) == ["2020-01-03"]
    days = ["31/12/1969", "02/01/1970"]
    assert labels(days, [0, 0], kind=Kind.DATE, format="%d/%m/%Y") == ["01/01/1970"]


def test_medians_are_values_of_the_group():
    median = Spelling({"x": Center.MEDIAN}, {})
    assert labels(["1", "10", "100", "7"], [0, 0, 0, 1], spelling=median) == ["10", "7"]
    assert labels(["1", "10", "7"], [0, 0, 1], rows=[3, 3, 1], spelling=median) == ["1", "7"]
    assert labels(["1", "10", "7"], [0, 0, 1], rows=[3, 4, 1], spelling=median) == ["10", "7"]


@pytest.mark.parametrize("center", Center)
def test_missing_values_alone_are_missing_and_among_others_hide_the_mean(center):
    spelling = Spelling({"x": center}, {})
    assert labels(["1", None, "3"], [0, 1, 2], spelling=spelling) == ["1", None, "3"]
    assert labels(["1", None, "3"], [0, 0, 1], spelling=spelling) == ["*", "3"]


def test_categories_are_told_as_nodes():
    assert labels(["a", "b", "c"], [0, 0, 1], kind=Kind.TEXT) == ["*", "c"]
