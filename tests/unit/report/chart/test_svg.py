"""Elements are escaped, marks are round, labels are shortened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.report.chart.bars import bars, columns
from sfumato.report.chart.svg import LETTER, Series, gutter, label, lines_of, marks, shorten, wide


@given(st.floats(1e-9, 1e9))
def test_marks_are_few_even_and_reach_the_largest_value(largest):
    ticks = marks(largest)
    assert ticks[0] == 0
    assert ticks[-1] >= largest * (1 - 1e-8)
    assert 2 <= len(ticks) <= 6


@pytest.mark.parametrize("draw", [bars, columns])
def test_labels_are_escaped(draw):
    axes = "share" if draw is bars else ("x", "share")
    svg = draw(["<script>alert(1)</script>"], [Series("after", "after", [0.5])], 'a "quote"', axes, str)
    assert "<script" not in svg
    assert 'aria-label="a &quot;quote&quot;"' in svg


def test_shortening_leaves_at_least_one_letter():
    assert shorten("abc", 0) == "a…"


@given(st.text(st.characters(codec="utf-8"), max_size=60), st.integers(4, 20))
def test_a_label_has_at_most_two_lines_of_the_given_length(content, most):
    lines = lines_of(content, most)
    assert 1 <= len(lines) <= 2
    assert max(map(len, lines)) <= most


def test_labels_of_wide_letters_are_shortened_further():
    """So that none is cut at the side of the picture; a gutter has room for what is short."""
    assert ">mmmmmmm…<" in label(0, 0, "m" * 30, wide("m" * 7) + LETTER)
    assert ">iiiiiiiiiiii<" in label(0, 0, "i" * 12, 12 * LETTER)
    assert ">WWWW<" in label(0, 0, "WWWW", gutter(["WWWW"], 170) - 8)
