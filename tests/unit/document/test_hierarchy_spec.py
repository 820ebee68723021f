"""The declaration of a hierarchy survives the plan; what is unknown is named."""

import tomllib
from datetime import date
from pathlib import Path

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from sfumato.document.codec import write
from sfumato.document.hierarchy_spec import spec_from, table_of
from sfumato.errors import PlanError
from sfumato.table.hierarchy.balanced import Balanced
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.dates import Dates, Unit
from sfumato.table.hierarchy.groups import Group, Groups
from sfumato.table.hierarchy.intervals import Interval, Intervals, from_edges
from sfumato.table.hierarchy.masking import Masking
from sfumato.table.hierarchy.match import Match
from sfumato.table.hierarchy.widths import FixedWidths
from sfumato.table.schema import describe

HERE = Path("plans")
NUMBERS = st.one_of(st.integers(-1000, 1000), st.floats(-1e6, 1e6))
MEMBERS = st.recursive(
    st.text(max_size=4),
    lambda inner: st.builds(
        Group, st.lists(inner, min_size=1, max_size=3).map(tuple), st.one_of(st.none(), st.text(max_size=3))
    ),
    max_leaves=6,
)
SPECS = st.one_of(
    st.builds(
        CsvFile,
        st.sampled_from([HERE / "a.csv", HERE / "b" / "c d.csv"]),
        st.sampled_from([None, ";", "\t"]),
        st.sampled_from([None, "latin-1"]),
        st.sampled_from(Match),
    ),
    st.builds(
        FixedWidths,
        st.sampled_from([5, 0.5]),
        st.sampled_from([(), (10, 20)]),
        NUMBERS,
        st.sampled_from([None, 0, -1.5]),
        st.sampled_from([None, 90]),
    ),
    st.lists(st.lists(NUMBERS, min_size=2, max_size=4, unique=True).map(sorted), min_size=1, max_size=3).flatmap(
        lambda levels: st.builds(from_edges, st.just(levels), below=st.booleans(), above=st.booleans())
    ),
    st.builds(Dates, st.lists(st.sampled_from(Unit), min_size=1, max_size=3).map(tuple)),
    st.builds(
        Masking,
        st.sampled_from(["right", "left"]),
        st.sampled_from([None, 5]),
        st.sampled_from([None, "0"]),
        st.sampled_from(["*", "x"]),
        st.sampled_from([None, (1, 3)]),
    ),
    st.builds(Groups, st.lists(MEMBERS, min_size=1, max_size=3).map(tuple), st.sampled_from(Match)),
    st.builds(Balanced, st.integers(2, 9)),
)


def read(text):
    return spec_from("age", tomllib.loads(f"h = {text}")["h"], folder=HERE)


@given(SPECS)
def test_a_declaration_survives_the_round_trip_through_toml(spec):
    written = tomlkit.document()
    inline = tomlkit.inline_table()
    mapping = write(table_of(spec))
    if isinstance(spec, CsvFile):
        mapping["file"] = str(spec.path.relative_to(HERE))
    inline.update(mapping)
    written.add("h", inline)
    again = spec_from("age", tomllib.loads(tomlkit.dumps(written))["h"], folder=HERE)
    assert spec == again
    assert describe(spec) == describe(again) != ""


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ('{ file = "age.csv" }', CsvFile(HERE / "age.csv")),
        ('{ file = "a.csv", match = "trimmed", delimiter = "," }', CsvFile(HERE / "a.csv", ",", None, Match.TRIMMED)),
        ("{ width = 5, then = [10, 20] }", FixedWidths(5, (10, 20))),
        ("{ width = 5, from = 0, to = 90 }", FixedWidths(5, low=0, high=90)),
        ("{ intervals = [[0, 18, 65]], above = true }", Intervals(((Interval(0, 18), Interval(18, 65), Interval(65, None)),))),
        ('{ intervals = [[{ to = 18, label = "minor" }, { from = 18 }]] }', Intervals(((Interval(None, 18, "minor"), Interval(18, None)),))),
        ("{ intervals = [[1990-01-01, 2000-01-01]] }", Intervals(((Interval(date(1990, 1, 1), date(2000, 1, 1)),),))),
        ("{ bins = 2, from = 0, to = 0.001 }", Intervals(((Interval(0, 0.0005), Interval(0.0005, 0.001)),))),
        ('{ dates = ["month", "year"] }', Dates((Unit.MONTH, Unit.YEAR))),
        ('{ mask = "right", width = 5, steps = [1, 3] }', Masking("right", 5, steps=(1, 3))),
        ('{ groups = [["a", "b"], ["c"], "d"] }', Groups((Group(("a", "b")), Group(("c",)), "d"))),
        ('{ groups = [{ label = "ab", members = ["a", "b"] }] }', Groups((Group(("a", "b"), "ab"),))),
        ('{ tree = { A = ["a", "b"], C = { D = ["d"], e = [] }, f = [] } }',
         Groups((Group(("a", "b"), "A"), Group((Group(("d",), "D"), "e"), "C"), "f"))),
        ("{ balanced = 2 }", Balanced(2)),
    ],
)  # fmt: skip
def test_every_form_is_read(text, spec):
    assert read(text) == spec


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("{ width = 5, than = [10] }", "'than'"),
        ('{ file = "a.csv", width = 5 }', "'width'"),
        ("{ depth = 5 }", "'depth'"),
        ("{ width = 0 }", "positive"),
        ('{ width = "5" }', "`width`"),
        ("{ width = true }", "`width`"),
        ("{ intervals = [[0, 18, 5]] }", "increasing"),
        ("{ intervals = [0, 18] }", "`intervals`"),
        ('{ intervals = [["a", "b"]] }', "`intervals`"),
        ("{ intervals = [[inf, 5]] }", "`intervals`"),
        ("{ intervals = [[{ from = 0, too = 5 }]] }", "'too'"),
        ("{ intervals = [[{ from = 0 }]], above = true }", "`below`"),
        ("{ bins = 0, from = 0, to = 1 }", "bins"),
        ('{ dates = ["fortnight"] }', "'iso-year'"),
        ('{ dates = "month" }', "`dates`"),
        ('{ mask = "middle" }', "`mask`"),
        ('{ mask = "right", steps = [1.5] }', "`steps`"),
        ("{ groups = [1] }", "`groups`"),
        ("{ groups = [[]] }", "member"),
        ("{ tree = { A = 5 } }", "`tree`"),
        ('{ file = "a.csv", match = "maybe" }', "'trimmed'"),
        ("{ balanced = 1 }", "at least 2"),
        ("{ balanced = 2.5 }", "`balanced`"),
    ],
)
def test_what_is_wrong_is_named(text, word):
    with pytest.raises(PlanError, match="'age'") as caught:
        read(text)
    assert word in str(caught.value)


def test_a_hierarchy_of_another_kind_has_no_form():
    class Own:
        def build(self, column, values):
            raise NotImplementedError

    with pytest.raises(PlanError, match="'Own'"):
        table_of(Own())
    assert describe(Own()) == "Own"
