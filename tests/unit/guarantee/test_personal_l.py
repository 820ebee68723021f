"""Personal l, beside persons in a loop."""

import numpy as np
import pytest
from hypothesis import given, settings

from sfumato.errors import ParameterError
from sfumato.guarantee.personal_l import PersonalL
from sfumato.testing.examples import asking, classes_with_illness
from sfumato.testing.strategies import SENSITIVE, classes


def content(counts, asked, kind):
    """Whether everybody in a class is, person by person: the slow twin."""
    values = [v for v, count in enumerate(counts) for _ in range(int(count))]
    if asked == 0:
        return True
    if not values:
        return False
    if kind == "distinct":
        return len(set(values)) >= asked
    return all(values.count(v) * asked <= len(values) for v in set(values))


@pytest.mark.parametrize("kind", ["distinct", "frequency"])
@settings(max_examples=25, derandomize=True)
@given(table=classes())
def test_it_is_what_persons_would_say_one_by_one(kind, table):
    histogram = table.histograms[0]
    dense = histogram.dense(table.n_classes)
    names = histogram.attribute.hierarchy.labels[0]
    present = [v for v, name in enumerate(names) if name is not None]
    criterion = PersonalL(SENSITIVE, "asked", kind)
    wishes = table.beside_of("asked").dense(table.n_classes)
    largest = [max([0, *np.flatnonzero(row).tolist()]) for row in wishes]
    slow = [content(row[present], ask, kind) for row, ask in zip(dense, largest, strict=True)]
    assert criterion.holds(table).tolist() == slow
    assert (criterion.measure(table) >= 1) == all(s for s, n in zip(slow, table.rows, strict=True) if n)


def test_the_most_demanding_person_counts():
    two = asking(classes_with_illness([[2, 2, 0], [2, 2, 0]]), "wish", [3, 2])
    assert PersonalL("illness", "wish", "distinct").holds(two).tolist() == [False, True]
    assert PersonalL("illness", "wish", "distinct").measure(two) == pytest.approx(2 / 3)
    assert PersonalL("illness", "wish", "frequency").measure(two) == pytest.approx(2 / 3)


def test_nobody_who_asks_is_content():
    one = asking(classes_with_illness([[2, 0, 0]]), "wish", [0])
    assert PersonalL("illness", "wish", "frequency").holds(one).all()
    assert PersonalL("illness", "wish", "frequency").measure(one) == float("inf")


def test_without_wishes_or_with_another_kind_the_remedy_is_said():
    with pytest.raises(ParameterError, match="needs the l of each person"):
        PersonalL("illness", "wish", "distinct").holds(classes_with_illness([[1, 1, 1]]))
    with pytest.raises(ParameterError, match="`kind`"):
        PersonalL("illness", "wish", "entropy")
