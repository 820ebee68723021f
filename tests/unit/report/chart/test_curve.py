"""Curves show every point that there is."""

import re

from sfumato.report.chart.curve import curve
from sfumato.report.chart.svg import Series


def test_curves_break_where_a_value_is_missing():
    svg = curve([1, 2, 4], [Series("loss", "after", [0.1, None, 0.3])], "alt", ("k", ""), str)
    assert re.search(r'd="M[\d. ]+ M[\d. ]+"', svg)


def test_a_curve_with_one_point_stands_in_the_middle():
    assert 'cx="' in curve([5], [Series("loss", "after", [0.1])], "alt", ("k", ""), str)
