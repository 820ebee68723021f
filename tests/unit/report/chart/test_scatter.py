"""A picture of points: nothing outside, labels apart, a line of steps."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from sfumato.report.chart.scatter import Plane, Spot, scatter

PLANE = Plane(("risk", "error"), (str, str), ("a", "b"), "best")


def spots(n, seed):
    rng = np.random.default_rng(seed)
    return [Spot(x, y, i % 2, str(i), f"point {i} <&>", bool(i % 3)) for i, (x, y) in enumerate(rng.random((n, 2)))]


def tree(svg):
    return ET.fromstring(svg)


@pytest.mark.parametrize("n", [0, 1, 2, 40])
def test_every_point_is_drawn_with_its_title(n):
    svg = scatter(spots(n, n), "alt", PLANE)
    titles = [title.text for title in tree(svg).iter("title")]
    assert sorted(t for t in titles if t.startswith("point")) == sorted(f"point {i} <&>" for i in range(n))


def test_points_and_labels_stay_inside():
    root = tree(scatter(spots(40, 1), "alt", PLANE))
    _, _, width, height = (float(v) for v in root.get("viewBox").split())
    for mark in root.iter("circle"):
        assert 0 <= float(mark.get("cx")) <= width
        assert 0 <= float(mark.get("cy")) <= height
    assert all(0 <= float(t.get("x")) <= width and 0 <= float(t.get("y")) <= height for t in root.iter("text"))


def test_labels_of_points_in_one_place_are_one_label():
    same = [Spot(0.5, 0.5, 0, name, "", marked=True) for name in ("2", "3")]
    assert "2, 3" in scatter(same, "alt", PLANE)


def test_the_line_goes_right_and_then_down():
    svg = scatter([Spot(0.2, 0.8, 0, "", "", True), Spot(0.8, 0.2, 0, "", "", True)], "alt", PLANE)
    path = re.findall(r'd="M([\d. L]+)"', svg)[-1]
    corners = [tuple(map(float, corner.split())) for corner in path.split("L")]
    assert len(corners) == 3
    assert corners[0][1] == corners[1][1] < corners[2][1]
    assert corners[0][0] < corners[1][0] == corners[2][0]


def test_negative_values_and_equal_values_have_a_place():
    svg = scatter([Spot(-3.0, 0.0, 0, "", "", True), Spot(-1.0, 0.0, 0, "", "", False)], "alt", PLANE)
    assert "nan" not in svg
