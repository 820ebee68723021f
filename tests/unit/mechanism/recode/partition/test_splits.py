"""Tuples as the axes see them."""

import numpy as np
import pytest
from tests.unit.mechanism.recode.raw_tables import attributes

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.splits import table_of
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def flat():
    """Numbers and texts whose codes are in the order of the axes."""
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["9", "10", "11"])
    return age, bind(Column("town", Role.QUASI_IDENTIFYING), ["a", "b", "c"])


@pytest.mark.parametrize("form", list(Publish))
@pytest.mark.parametrize(
    ("columns", "codes", "is_shared"),
    [
        (flat(), [(0, 0), (1, 1), (2, 2)], True),
        (flat(), [(0, 0), (1, 2), (2, 2)], False),  # town 1 does not come up: it is the last of a set
        (attributes(), [(0, 5, 0), (4, 1, 2), (2, 3, 1)], False),
    ],
)
def test_ranks_are_those_of_the_axes_and_codes_are_not_copied_where_they_are_equal(form, columns, codes, is_shared):
    by_column = np.array(codes).T.copy().T
    for matrix in (by_column, by_column.copy(order="C")):
        axes, ones = axes_of(columns, matrix, form), np.ones(len(codes), np.int64)
        table = table_of(axes, Judge(Classes(matrix, ones, ones), (KAnonymity(1),)))
        wanted = np.stack([axis.rank[matrix[:, j]] for j, axis in enumerate(axes)])
        assert np.array_equal(table.ranks, wanted)
        assert table.ranks.flags.c_contiguous  # they are read row by row, and as one run
        if form is Publish.COVERS:
            assert np.shares_memory(table.ranks, matrix) == (is_shared and matrix is by_column)
