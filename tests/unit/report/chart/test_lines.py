"""Pictures of many lines show every value, once named, within the frame."""

import re
from xml.dom.minidom import parseString

import pytest

from sfumato.report.chart.lines import Axes, Curve, lines
from sfumato.report.chart.standalone import standalone

PLAIN = Axes(("epsilon", "error"), (False, False), (), lambda value: f"{value:g}")
LOG = Axes(("epsilon", "error"), (True, True), (), lambda value: f"{value:g}")


def marks_of(svg):
    """Texts of axis marks."""
    return re.findall(r'class="mark"[^>]*>([^<]*)<', svg)


def test_a_missing_value_breaks_the_line():
    svg = lines([1, 2, 3], [Curve("a", [0.1, None, 0.3], 0)], "alt", PLAIN)
    assert re.search(r'd="M[\d. ]+M[\d. ]+"', svg)


def test_hollow_marks_have_no_line_and_one_entry():
    curves = [Curve("a", [1.0, 2.0], 0), Curve("ref", [1.0, 2.0], 0, "hollow"), Curve("b", [2.0, 1.0], 1),
              Curve("ref", [2.0, 1.0], 1, "hollow")]  # fmt: skip
    svg = lines([1, 2], curves, "alt", PLAIN)
    assert svg.count(">ref</text>") == 1
    assert svg.count('class="stroke') == 4  # two lines, two entries
    assert svg.count('class="hollow') == 5  # four marks, one entry


def test_high_values_are_not_drawn_from_zero():
    assert "0" not in marks_of(lines([1, 2], [Curve("a", [0.65, 0.75], 0)], "alt", PLAIN))
    assert "0" in marks_of(lines([1, 2], [Curve("a", [0.1, 0.75], 0)], "alt", PLAIN))


@pytest.mark.parametrize("values", [[1e-8, 3e-3], [3e-4, 7e-3], [0.11, 0.12], [5.0, 5.0], [1e-300, 1.0]])
def test_logarithmic_axes_hold_every_value(values):
    svg = lines([1, 2], [Curve("a", values, 0)], "alt", LOG)
    heights = [float(y) for y in re.findall(r'<circle class="dot c0" cx="[\d.]+" cy="([\d.]+)"', svg)[1:]]
    if values[0] < values[1]:
        assert heights[0] > heights[1]
    assert len(heights) == 2


def test_small_decades_are_powers_of_ten():
    assert "10⁻⁵" in marks_of(lines([1, 2], [Curve("a", [1e-7, 1e-2], 0)], "alt", LOG))


def test_bands_need_two_points_and_stay_in_the_frame():
    wide = Curve("a", [0.1, 0.2, 0.3], 0, spread=[9.0, 9.0, 9.0])
    svg = lines([1, 2, 3], [wide], "alt", PLAIN)
    band = re.search(r'class="band c0" d="([^"]*)"', svg).group(1)
    foot = max(float(y) for y in re.findall(r'class="axis" x1="[\d.]+" y1="([\d.]+)"', svg))
    assert max(float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", band)) <= foot
    assert "band" not in lines([1], [Curve("a", [0.1], 0, spread=[0.1])], "alt", PLAIN)


def test_levels_lie_beneath_and_differ():
    curves = [Curve("a", [1.0, 2.0], 0), Curve("low", [0.5, 0.5], 0, "level"), Curve("top", [2.0, 2.0], 1, "level")]
    svg = lines([1, 2], curves, "alt", PLAIN)
    dashes = re.findall(r'class="stroke gray" stroke-dasharray="([^"]*)"', svg)
    assert len(set(dashes)) == 2
    drawn = svg[svg.rindex(">top</text>") :]
    assert drawn.index("stroke gray") < drawn.index("stroke c0")


def test_labels_replace_numbers():
    axes = Axes(("epsilon", "error"), (False, False), ("ln 2", "ln 3"), str)
    assert "ln 3" in marks_of(lines([0.69, 1.1], [Curve("a", [1.0, 2.0], 0)], "alt", axes))


def test_names_are_escaped_in_a_whole_document():
    svg = standalone(lines([1, 2], [Curve("<b>&", [1.0, 2.0], 0)], "a < b", PLAIN))
    root = parseString(svg).documentElement
    assert root.getAttribute("aria-label") == "a < b"


def test_nothing_to_draw_is_a_picture_still():
    for svg in (lines([], [], "alt", LOG), lines([1], [Curve("a", [None], 0)], "alt", PLAIN)):
        assert parseString(standalone(svg)).documentElement.tagName == "svg"
