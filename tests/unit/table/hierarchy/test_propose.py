"""Proposals suit the column, and a file of a hierarchy is that hierarchy."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.document.codec import write
from sfumato.document.hierarchy_spec import spec_from, table_of
from sfumato.table.attribute import bind
from sfumato.table.guess import guess_kind
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.propose import paths, propose, to_csv
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.hierarchy.widths import FixedWidths
from sfumato.table.schema import Column, Kind, Role, describe


def proposal(values, kind=None):
    counts = np.ones(len(values), np.int64)
    guessed, form = guess_kind(values, counts)
    column = Column("x", Role.QUASI_IDENTIFYING, kind or guessed, format=form)
    spec = propose(column, values, counts)
    if spec is not None:
        bind(replace(column, hierarchy=spec), [*values, None])
    return None if spec is None else describe(spec)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([str(age) for age in range(17, 91)], "intervals of 5, then 10, 20, 40"),
        (["0", "1", "2", "3"], "intervals of 2"),
        ([str(i * 997) for i in range(100)], "intervals of 5000, then 10000, 20000, 40000, 80000"),
        (["0.001", "0.0004", "0"], "intervals of 0.00005, then 0.0001, 0.0002, 0.0004, 0.0008"),
        (["01000", "75001", "69002"], "characters hidden from the right"),
        (["f", "m"], None),
        (["7", "7.0", "7.00"], None),
        (["Married", "Single", "Widowed", "Divorced"], None),
        (["Married", "Single", "Widowed", "Divorced", "Other"], "declared groups: 2 below the root"),
        (["1.0", "2.0", "4.0", "6.0"], "intervals of 2, then 4"),
        ([f"{chr(65 + i % 26)}{i}.{i % 9}" for i in range(600)], "characters hidden from the right"),
        ([f"free text no {i}" + "x" * (i % 7) for i in range(600)], None),
        ([(date(2020, 1, 1) + timedelta(i)).isoformat() for i in range(90)], "dates by month, then quarter"),
        (
            [(date(1950, 1, 1) + timedelta(i * 100)).isoformat() for i in range(90)],
            "dates by month, then quarter, year, decade",
        ),
        (["2020-01-01T10:00", "2020-01-01T11:00", "2020-03-01T11:00"], "dates by day, then month, quarter"),
    ],
)
def test_a_hierarchy_suits_its_column(values, words):
    assert proposal(values) == words


def test_a_proposal_can_be_written_into_a_plan(tmp_path):
    for values in ([str(age) for age in range(90)], ["a", "b", "c", "d", "e"], ["01000", "02000", "03000"]):
        column = Column("x", Role.QUASI_IDENTIFYING, guess_kind(values, np.ones(len(values)))[0])
        spec = propose(column, values, np.arange(len(values)))
        assert spec == spec_from("x", write(table_of(spec)), folder=tmp_path)


def test_few_persons_far_off_share_an_open_end():
    values, counts = ["0", "5", "10", "500"], np.array([400, 300, 299, 1])
    column = Column("stay", Role.QUASI_IDENTIFYING, Kind.INTEGER)
    spec = propose(column, values, counts)
    assert spec.build(column, values).labels[1] == ("[0, 2[", "[4, 6[", "[10, 12[", ">= 16")


def test_long_codes_have_few_levels():
    values = ["AB1234567890", "CD1234567890", "EF1234567890"]
    column = Column("code", Role.QUASI_IDENTIFYING)
    assert propose(column, values, np.ones(3, np.int64)).build(column, values).height <= 7


LABEL = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=4)


@given(st.lists(st.tuples(LABEL, LABEL), min_size=1, max_size=6, unique_by=lambda pair: pair[0]))
def test_a_written_hierarchy_reads_back(tmp_path_factory, pairs):
    tree = Hierarchy.from_paths("x", [(value, f"group {group}", "*") for value, group in pairs])
    path = tmp_path_factory.mktemp("hierarchies") / "x.csv"
    path.write_bytes(to_csv(tree).encode())
    again = CsvFile(path).build(Column("x", Role.QUASI_IDENTIFYING), [])
    assert paths(tree) == paths(again)


def test_the_preview_is_the_output():
    """B3: the lines of the preview are the labels that a recoding publishes at each level."""
    column = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER, FixedWidths(5, (20,)))
    values = [str(age) for age in range(100)]
    tree = bind(column, values).hierarchy
    lines = [line.split(";") for line in to_csv(tree).splitlines()]
    for leaf, line in enumerate(lines):
        published = [tree.labels[level][tree.ancestors[level][leaf]] for level in range(tree.height + 1)]
        assert published == line


def test_the_missing_value_needs_no_line():
    assert to_csv(Hierarchy.flat("x", ["a"]).with_missing()) == "a;*\n"
