"""Upright columns are well-formed and fit their frame."""

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from sfumato.report.chart.columns import columns
from sfumato.report.chart.svg import WIDTH, Series

labels = st.lists(
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"), max_size=40
    ),
    min_size=1,
    max_size=8,
)
shares = st.none() | st.floats(0.0, 1.0)


@given(labels, st.data())
def test_columns_are_well_formed_and_stay_inside_the_frame(names, data):
    values = data.draw(st.lists(shares, min_size=len(names), max_size=len(names)))
    root = ET.fromstring(columns(names, [Series("before", "before", values)], "alt", ("x", "y"), str))
    assert all(float(r.get("y")) >= 0 for r in root.iter("rect"))


def test_a_last_label_in_brackets_is_always_written():
    labels = [*map(str, range(60)), "(other)"]
    svg = columns(labels, [Series("before", "before", [0.01] * 61)], "alt", ("age", "share"), str)
    assert ">(other)</text>" in svg


def test_columns_stay_left_of_the_margin():
    root = ET.fromstring(columns(["a"] * 50, [Series("after", "after", [1.0] * 50)], "alt", ("x", "y"), str))
    assert all(float(r.get("x")) + float(r.get("width")) <= WIDTH for r in root.iter("rect"))
