"""Released tables read against the original."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.summary.classes import Classes, distinct_rows, roll_up
from sfumato.summary.published import (
    SuppressedMark,
    published_at_levels,
    published_of_partition,
    read_published,
)
from sfumato.summary.span import Ncp
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role

AGE = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["17", "20", "37", "50"])
TOWN = Attribute(
    Column("town", Role.QUASI_IDENTIFYING),
    Hierarchy.from_paths("town", [("Blois", "Centre", "*"), ("Bourges", "Centre", "*"), ("Lyon", "Rhône", "*")]),
    None,
)


def classes_of(rows):
    """Classes and labels of a table of texts."""
    labels = [sorted({row[j] for row in rows}, key=str) for j in range(len(rows[0]))]
    codes, member = distinct_rows(np.array([[labels[j].index(v) for j, v in enumerate(row)] for row in rows]))
    counts = np.bincount(member)
    return labels, Classes(codes, rows=counts, alone=counts)


def read(rows, **kwargs):
    return read_published([AGE, TOWN], *classes_of(rows), **kwargs)


def test_rows_of_stars_are_suppressed_and_belong_to_no_class():
    """Users' case C7: six rows and one of `*`."""
    table = read([("17", "Blois")] * 3 + [("[20, 37]", "Centre")] * 3 + [("*", "*")])
    assert (table.suppressed_rows, table.suppressed_persons) == (1, 1)
    assert table.classes.rows.tolist() == [3, 3]
    assert table.n_rows == 7


def test_a_row_with_some_stars_is_a_generalized_one():
    table = read([("*", "Blois")] * 2 + [("*", "*")])
    assert table.classes.n_classes == 1
    assert table.suppressed_rows == 1


def test_rows_of_stars_can_be_kept_as_a_class():
    table = read([("17", "Blois"), ("*", "*")], suppressed=SuppressedMark.NONE)
    assert (table.classes.n_classes, table.suppressed_rows) == (2, 0)


def test_missing_rows_are_suppressed_only_where_that_was_said():
    rows = [("17", "Blois"), (None, None)]
    assert read(rows).suppressed_rows == 0
    assert read(rows, suppressed=SuppressedMark.STAR_OR_NULL).suppressed_rows == 1


def test_a_null_that_a_text_file_holds_as_an_empty_cell_is_a_null():
    """Each cell may be missing or empty; rows of `*` stay a class where nulls are the mark."""
    rows = [("17", "Blois"), ("", ""), (None, ""), ("*", "*"), ("", "Blois")]
    for mark, gone in ((SuppressedMark.NULL, 2), (SuppressedMark.STAR_OR_NULL, 3), (SuppressedMark.STAR, 1)):
        assert read(rows, suppressed=mark).suppressed_rows == gone


def test_labels_that_are_not_understood_are_counted_by_column():
    table = read([("17", "Paris"), ("old", "Blois"), ("older", "Blois")])
    assert table.not_understood == (2, 1)
    assert not table.is_understood


def test_labels_of_suppressed_rows_need_no_understanding():
    assert read([("17", "Blois"), ("*", "*")]).is_understood


def test_the_domain_can_be_the_values_that_the_original_holds():
    original = Classes(np.array([[0, 0], [1, 1]]), rows=np.array([1, 1]), alone=np.array([1, 1]))
    labels, classes = classes_of([("17", "Centre")])
    table = read_published([AGE, TOWN], labels, classes, observed=original)
    assert table.spans[1].ncp(Ncp.LEAVES).tolist() == [1.0]


def test_other_columns_than_the_original_ones_are_refused():
    with pytest.raises(ParameterError, match="own quasi-identifiers"):
        read_published([AGE], *classes_of([("17", "Blois")]))


def test_a_generalization_reads_the_same_from_its_levels_and_from_its_texts():
    rng = np.random.default_rng(5)
    codes, member = distinct_rows(np.stack([rng.integers(0, 4, 60), rng.integers(0, 3, 60)], axis=1))
    counts = np.bincount(member)
    finest = Classes(codes, rows=counts, alone=counts)
    for levels in [(0, 0), (0, 1), (1, 1), (0, 2)]:
        direct = published_at_levels([AGE, TOWN], finest, levels)
        classes, _ = roll_up(finest, [AGE, TOWN], levels)
        texts = [a.hierarchy.labels[level] for a, level in zip([AGE, TOWN], levels, strict=True)]
        by_text = read_published([AGE, TOWN], texts, classes)
        for one, other in zip(direct.spans, by_text.spans, strict=True):
            assert one.n_leaves.tolist() == other.n_leaves.tolist()
            assert one.level.tolist() == other.level.tolist()
            for convention in Ncp:
                assert one.ncp(convention).tolist() == other.ncp(convention).tolist()


def test_suppressed_classes_of_a_generalization_are_counted():
    finest = Classes(np.array([[0, 0], [1, 2]]), rows=np.array([4, 1]), alone=np.array([4, 1]))
    table = published_at_levels([AGE, TOWN], finest, (0, 1), np.array([True, False]))
    assert (table.classes.rows.tolist(), table.suppressed_rows) == ([4], 1)


def test_a_partition_publishes_exactly_the_values_of_its_classes():
    finest = Classes(np.array([[0, 0], [1, 0], [3, 2], [3, 1]]), rows=np.array([1, 2, 3, 4]), alone=np.arange(1, 5))
    member = np.array([0, 0, 1, -1])
    classes = Classes(np.array([[0], [1]]), rows=np.array([3, 3]), alone=np.array([3, 3]))
    table = published_of_partition([AGE, TOWN], finest, classes, member)
    assert [spans.n_leaves.tolist() for spans in table.spans] == [[2, 1], [1, 1]]
    assert (table.suppressed_rows, table.suppressed_persons) == (4, 4)
    assert table.is_understood


def test_a_table_as_it_came_has_no_suppressed_rows():
    """Users' case C6: seven rows, nothing generalized yet."""
    table = read([("17", "Blois"), ("20", "Lyon"), ("37", "Lyon")] * 2 + [("50", "Bourges")])
    assert (table.suppressed_rows, table.n_rows) == (0, 7)
    assert all((spans.level == 0).all() for spans in table.spans)
