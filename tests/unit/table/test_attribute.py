"""A column bound to its values has every one of them as a leaf."""

import numpy as np
import pytest

from sfumato.errors import SchemaError
from sfumato.table.attribute import bind
from sfumato.table.hierarchy.widths import FixedWidths
from sfumato.table.schema import Column, Kind, Role

AGE = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)


def test_a_column_without_hierarchy_generalizes_to_the_root():
    bound = bind(AGE, ["10", "9"])
    assert bound.hierarchy.labels == (("9", "10"), ("*",))
    assert bound.positions.tolist() == [9.0, 10.0]


def test_the_missing_value_is_a_leaf_of_its_own_up_to_the_root():
    bound = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER, FixedWidths(5)), [None, "7"])
    assert bound.hierarchy.labels == (("7", None), ("[5, 10[", None), ("*",))
    assert np.isnan(bound.positions[1])


def test_text_has_no_positions():
    assert bind(Column("town", Role.QUASI_IDENTIFYING), ["b", "a"]).positions is None


def test_only_missing_values_still_make_a_tree():
    assert bind(AGE, [None]).hierarchy.labels == ((None,), ("*",))


def test_undeclared_codes_are_refused_without_being_shown():
    """A16: `NA` is missing only if it is declared."""
    with pytest.raises(SchemaError, match="1 distinct values do not") as caught:
        bind(AGE, ["7", "NA"])
    assert "NA" not in caught.value.problem
