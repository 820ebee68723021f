"""Published texts read as leaves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.summary.label_reader import read_labels
from sfumato.summary.span import Domain, Ncp
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.label import format_range, format_set
from sfumato.table.number import positions
from sfumato.table.schema import Column, Kind, Role

AGE = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(v) for v in range(10, 31, 5)])
TOWN = Attribute(
    Column("town", Role.QUASI_IDENTIFYING),
    Hierarchy.from_paths(
        "town", [("Blois", "Centre", "*"), ("Bourges", "Centre", "*"), ("Lyon", "Rhône", "*"), ("[1, 2]", "odd", "*")]
    ),
    None,
)


def leaves(attribute, text):
    """Leaf texts that a label stands for, in domain order."""
    spans = read_labels(Domain.of(attribute), [text])
    domain = spans.domain
    return [
        attribute.hierarchy.labels[0][leaf]
        for start, stop in zip(spans.start, spans.stop, strict=True)
        for leaf in domain.order[start:stop]
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("15", ["15"]),
        ("15.0", ["15"]),
        ("[10, 20]", ["10", "15", "20"]),
        ("[10, 20[", ["10", "15"]),
        ("[10, 20)", ["10", "15"]),
        ("]10, 20]", ["15", "20"]),
        ("(10, 20]", ["15", "20"]),
        ("< 15", ["10"]),
        ("<= 15", ["10", "15"]),
        (">= 25", ["25", "30"]),
        ("> 25", ["30"]),
        ("[12.5, 17.5]", ["15"]),
        ("{10, 30}", ["10", "30"]),
        ("*", ["10", "15", "20", "25", "30"]),
        ("[11, 14]", []),
        ("16", []),
        ("young", []),
        ("{10, 11}", []),
        ("[ten, 20]", []),
    ],
)
def test_texts_of_an_ordered_column(text, expected):
    assert leaves(AGE, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lyon", ["Lyon"]),
        ("Centre", ["Blois", "Bourges"]),
        ("{Blois, Lyon}", ["Blois", "Lyon"]),
        ("{Centre, Lyon}", ["Blois", "Bourges", "Lyon"]),
        ("[1, 2]", ["[1, 2]"]),
        ("[1, 3]", []),
        ("Paris", []),
    ],
)
def test_texts_of_a_text_column(text, expected):
    assert leaves(TOWN, text) == expected


def test_a_value_that_looks_like_a_range_is_the_value():
    assert leaves(TOWN, '{"[1, 2]"}') == ["[1, 2]"]


def test_a_text_that_names_several_nodes_has_the_widest_reading():
    tree = Hierarchy.from_paths("x", [("a", "a", "*"), ("b", "a", "*"), ("c", "c", "*")])
    both = Attribute(Column("x", Role.QUASI_IDENTIFYING), tree, None)
    assert leaves(both, "a") == ["a", "b"]
    assert leaves(both, "c") == ["c"]


def test_a_missing_cell_is_the_missing_value_where_there_is_one():
    with_missing = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["1", "2", None])
    assert leaves(with_missing, None) == [None]
    assert leaves(with_missing, "{1, missing}") == ["1", None]
    assert leaves(with_missing, "[1, 2]") == ["1", "2"]


def test_a_missing_cell_is_a_suppressed_one_where_nothing_was_missing():
    assert leaves(AGE, None) == ["10", "15", "20", "25", "30"]


def test_dates_are_read_in_the_format_of_their_column():
    column = Column("born", Role.QUASI_IDENTIFYING, Kind.DATE, format="%d.%m.%Y")
    assert leaves(bind(column, ["01.02.1990", "03.02.1990", "01.03.1990"]), "[01.02.1990, 01.03.1990[") == [
        "01.02.1990",
        "03.02.1990",
    ]


@pytest.mark.parametrize(
    ("text", "share"),
    [("[10, 20]", 0.5), ("[10, 20[", 0.45), ("]10, 20]", 0.45), (">= 25", 0.25), ("[0, 20]", 0.5), ("15", 0.0)],
)
def test_a_range_is_as_wide_as_it_says_within_the_domain(text, share):
    """Whole numbers: 20 excluded means up to 19."""
    assert read_labels(Domain.of(AGE), [text]).ncp(Ncp.WIDTH).tolist() == pytest.approx([share])


def test_positions_without_an_ordered_kind_are_read_as_numbers():
    tree = Hierarchy.flat("age", ["1", "2", "3"])
    places = positions(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), tree.labels[0])
    assert leaves(Attribute(Column("age", Role.QUASI_IDENTIFYING), tree, places), "[1, 2]") == ["1", "2"]


ODD = ["*", "[1, 2]", "missing", "a, b", 'say "hi"', "< 5", "{x}", "", "plain", "-3"]


@given(st.sets(st.sampled_from([*ODD, None]), min_size=2), st.data())
def test_every_set_that_we_write_is_read_as_its_values(values, data):
    attribute = bind(Column("x", Role.QUASI_IDENTIFYING), sorted(values, key=str))
    chosen = data.draw(st.sets(st.sampled_from(sorted(values, key=str)), min_size=2))
    assert set(leaves(attribute, format_set(sorted(chosen, key=str)))) == chosen


@given(st.sets(st.integers(-20, 20), min_size=2), st.data())
def test_every_range_that_we_write_is_read_as_the_values_inside(values, data):
    attribute = bind(Column("x", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(v) for v in values])
    low, high = sorted(data.draw(st.lists(st.sampled_from(sorted(values)), min_size=2, max_size=2)))
    assert leaves(attribute, format_range(str(low), str(high))) == [str(v) for v in sorted(values) if low <= v <= high]


def test_a_quoted_value_that_is_also_a_node_is_the_value():
    starred = bind(Column("x", Role.QUASI_IDENTIFYING), ["*", "a", "b"])
    assert leaves(starred, '{"*"}') == ["*"]
    assert leaves(starred, "*") == ["*", "a", "b"]


def test_many_ranges_over_many_values_stay_small():
    """20,000 ranges over 20,000 values: 4e8 places if each were listed."""
    numbers = bind(Column("x", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(v) for v in range(20_000)])
    spans = read_labels(Domain.of(numbers), [f"[0, {v}]" for v in range(20_000)])
    assert spans.n_leaves.tolist() == list(range(1, 20_001))


def test_a_node_stands_at_the_level_of_its_name_and_a_set_at_that_of_the_node_that_holds_it():
    """Rhône has one town: its name is of level 1, though the town alone would be of level 0."""
    texts = ["Lyon", "Rhône", "Centre", "{Blois, Bourges}", "{Blois, Lyon}", "*"]
    assert read_labels(Domain.of(TOWN), texts).level.tolist() == [0, 1, 1, 1, 2, 2]


SHARED_NAMES = Attribute(
    Column("x", Role.QUASI_IDENTIFYING),
    Hierarchy.from_paths(
        "x",
        [("a", "a", "a", "*"), ("b", "b", "Other", "*"), ("c", "Other", "Other", "*"), ("d", "Other", "Other", "*")],
    ),
    None,
)


@pytest.mark.parametrize(
    ("texts", "n_leaves", "levels"),
    [
        (["a", "b", "Other"], [1, 1, 2], [1, 1, 1]),
        (["a", "Other"], [1, 3], [2, 2]),
        (["a", "b", "*"], [1, 1, 4], [1, 1, 3]),
        (["{a, b}", "Other", "a"], [2, 3, 1], [3, 2, 0]),
    ],
)
def test_a_column_is_read_at_one_level_where_all_its_texts_are_nodes_of_it(texts, n_leaves, levels):
    """Else each text has its widest reading, and a name that several levels share stands at the lowest."""
    spans = read_labels(Domain.of(SHARED_NAMES), texts)
    assert (spans.n_leaves.tolist(), spans.level.tolist()) == (n_leaves, levels)
