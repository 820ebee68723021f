"""Bars and columns are well-formed, escaped and fit their frame."""

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from sfumato.report.chart.bars import bars, columns
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
def test_bars_are_well_formed_and_stay_inside_the_frame(names, data):
    series = [
        Series(s, s, data.draw(st.lists(shares, min_size=len(names), max_size=len(names)))) for s in ("before", "after")
    ]
    root = ET.fromstring(bars(names, series, "alt", "share", lambda v: f"{v:.2f}"))
    assert all(0 <= float(r.get("x")) <= float(r.get("x")) + float(r.get("width")) <= WIDTH for r in root.iter("rect"))


def test_a_zero_has_no_bar_but_its_figure():
    svg = bars(["a"], [Series("after", "after", [0.0])], "alt", "share", lambda v: f"{v:g} units")
    assert 'class="value"' in svg
    assert svg.count("<rect") == 1


def test_a_small_share_is_still_visible():
    svg = bars(["a", "b"], [Series("after", "after", [1.0, 1e-6])], "alt", "share", str)
    widths = [float(w) for w in re.findall(r'width="([\d.]+)"', svg)]
    assert min(widths) >= 1


def test_a_shortened_label_keeps_its_whole_text_as_title():
    name = "Outlying-US(Guam-USVI-etc) and all the rest"
    root = ET.fromstring(bars([name], [Series("after", "after", [0.5])], "alt", "share", str))
    texts = {t.findtext("title"): "".join(t.itertext()) for t in root.iter("text") if t.find("title") is not None}
    assert name in texts
    assert "…" in texts[name]


def test_long_labels_of_pairs_stand_on_two_lines():
    both = [Series(s, s, [0.5]) for s in ("before", "after")]
    svg = bars(["Personnes exposées au risque du journaliste"], both, "alt", "share", str)
    assert ">Personnes exposées au</text>" in svg
    assert ">risque du journaliste</text>" in svg


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
