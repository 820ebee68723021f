"""Pictures are well-formed, escaped and fit their frame."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.report.chart.bars import bars
from sfumato.report.chart.columns import columns
from sfumato.report.chart.curve import curve
from sfumato.report.chart.svg import WIDTH, Series, marks, shorten

labels = st.lists(
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"), max_size=40
    ),
    min_size=1,
    max_size=8,
)
shares = st.none() | st.floats(0.0, 1.0)


@given(st.floats(1e-9, 1e9))
def test_marks_are_few_even_and_reach_the_largest_value(largest):
    ticks = marks(largest)
    assert ticks[0] == 0
    assert ticks[-1] >= largest * (1 - 1e-8)
    assert 2 <= len(ticks) <= 6


@given(labels, st.data())
def test_bars_are_well_formed_and_stay_inside_the_frame(names, data):
    series = [
        Series(s, s, data.draw(st.lists(shares, min_size=len(names), max_size=len(names)))) for s in ("before", "after")
    ]
    root = ET.fromstring(bars(names, series, "alt", "share", lambda v: f"{v:.2f}"))  # noqa: S314
    assert all(0 <= float(r.get("x")) <= float(r.get("x")) + float(r.get("width")) <= WIDTH for r in root.iter("rect"))


@given(labels, st.data())
def test_columns_are_well_formed_and_stay_inside_the_frame(names, data):
    values = data.draw(st.lists(shares, min_size=len(names), max_size=len(names)))
    root = ET.fromstring(columns(names, [Series("before", "before", values)], "alt", ("x", "y"), str))  # noqa: S314
    assert all(float(r.get("y")) >= 0 for r in root.iter("rect"))


def test_a_zero_has_no_bar_but_its_figure():
    svg = bars(["a"], [Series("after", "after", [0.0])], "alt", "share", lambda v: f"{v:g} units")
    assert 'class="value"' in svg
    assert svg.count("<rect") == 1


def test_a_small_share_is_still_visible():
    svg = bars(["a", "b"], [Series("after", "after", [1.0, 1e-6])], "alt", "share", str)
    widths = [float(w) for w in re.findall(r'width="([\d.]+)"', svg)]
    assert min(widths) >= 1


@pytest.mark.parametrize("draw", [bars, columns])
def test_labels_are_escaped(draw):
    axes = "share" if draw is bars else ("x", "share")
    svg = draw(["<script>alert(1)</script>"], [Series("after", "after", [0.5])], 'a "quote"', axes, str)
    assert "<script" not in svg
    assert 'aria-label="a &quot;quote&quot;"' in svg


def test_a_shortened_label_keeps_its_whole_text_as_title():
    name = "Outlying-US(Guam-USVI-etc) and all the rest"
    root = ET.fromstring(bars([name], [Series("after", "after", [0.5])], "alt", "share", str))  # noqa: S314
    texts = {t.findtext("title"): "".join(t.itertext()) for t in root.iter("text") if t.find("title") is not None}
    assert name in texts
    assert "…" in texts[name]


def test_curves_break_where_a_value_is_missing():
    svg = curve([1, 2, 4], [Series("loss", "after", [0.1, None, 0.3])], "alt", ("k", ""), str)
    assert re.search(r'd="M[\d. ]+ M[\d. ]+"', svg)


def test_a_curve_with_one_point_stands_in_the_middle():
    assert 'cx="' in curve([5], [Series("loss", "after", [0.1])], "alt", ("k", ""), str)


def test_shortening_leaves_at_least_one_letter():
    assert shorten("abc", 0) == "a…"
