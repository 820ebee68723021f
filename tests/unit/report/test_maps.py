"""Maps: true lengths, cells where they are, nothing of few persons, bounded size, both languages."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from sfumato.document.result.release import ColumnEntry, Done, ReleaseResult, SourceTable
from sfumato.document.result.traces import TraceFlow, TraceFlowMap, TraceMap, TraceRows, TracesFound
from sfumato.language.words import words
from sfumato.report import render_html
from sfumato.report.chart.geo import CLASSES, classes_of
from sfumato.report.chart.standalone import standalone
from sfumato.report.maps import flow_maps, ground_of, heat_maps
from sfumato.table.plane import distance

BEFORE = (0, 7, 40, 0, 0, 5, 300, 0)
"""Two rows of four cells, from the south-west; cells with fewer than 5 persons hold 0."""
FOUND = TracesFound(
    read=TraceRows(rows=9, kept=9), zone="UTC", latitude=60.0, longitude=10.0, persons_before=9, persons_after=9,
    fixes_before=9, fixes_after=9, persons="renamed", per="person", reports=1,
    map=TraceMap(metres=2000.0, rows=2, columns=4, fewest=5, before=BEFORE, after=(0, 0, 12, 0, 0, 0, 6, 0)),
    flows=TraceFlowMap(
        metres=4000.0, rows=1, columns=2, fewest=5, before=(TraceFlow(origin=0, target=1, trips=50),), after=(),
    ),
)  # fmt: skip


def drawn(svg):
    """The elements of a picture."""
    return ET.fromstring(standalone(svg))


def boxes(root):
    """Corners of each cell by its shade."""
    out = {}
    for path in root.iter("{http://www.w3.org/2000/svg}path"):
        for one in re.findall(r"M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)", path.get("d")):
            out[tuple(map(float, one))] = path.get("class")
    return out


def test_cells_are_drawn_where_they_are_and_darker_with_more_persons():
    """Of four columns over 398 units each is 99.5 wide; the second row, to the north, is above the first."""
    (title, svg), _ = heat_maps(FOUND)
    found = {(left, top): shade for (left, top, _, _), shade in boxes(drawn(svg)).items()}
    north, south = sorted({top for _, top in found})
    assert {place for place in found if place[1] == south} == {(100.5, south), (200.0, south)}
    assert {place for place in found if place[1] == north} == {(100.5, north), (200.0, north)}
    shades = [found[100.5, north], found[100.5, south], found[200.0, south], found[200.0, north]]
    assert shades == sorted(shades)
    assert shades[0] < shades[-1] == f"h{CLASSES - 1}"
    assert title == "Where persons were, before"


def test_the_scale_is_true_at_the_middle_of_the_region():
    """At 60 degrees north 4 cells of 2 km are drawn 398 units wide; the bar is measured on the sphere."""
    (_, svg), _ = heat_maps(FOUND)
    bar = next(one for one in drawn(svg).iter("{http://www.w3.org/2000/svg}line") if one.get("class") == "axis scale")
    share = (float(bar.get("x2")) - float(bar.get("x1"))) / 398
    degrees = 8000 / (111_195.0797 * np.cos(np.radians(60.0)))
    middle = 60.0 + 2000 / 111_195.0797
    ends = np.array([middle]), np.array([10.0]), np.array([middle]), np.array([10.0 + degrees * share])
    assert "2 km" in svg
    assert float(distance(*ends)[0]) == pytest.approx(2000, rel=5e-4)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_map_says_what_it_shows_to_those_who_do_not_see_it(language):
    (_, svg), (_, after) = heat_maps(FOUND, words(language))
    root = drawn(svg)
    told = [root.find(f"{{http://www.w3.org/2000/svg}}{tag}").text for tag in ("title", "desc")]
    assert root.get("aria-label") == " ".join(told)
    assert re.findall(r"\d+", told[1].replace(",", "").replace("\u202f", "")) == ["4", "2000", "5", "300"]
    assert ("cellules" in told[1]) == (language == "fr")
    assert len(list(drawn(after).iter("{http://www.w3.org/2000/svg}polygon"))) == 1  # the arrow to the north


def test_flows_are_as_wide_as_their_trips_and_none_is_drawn_where_none_is_told():
    (_, before), (_, after) = flow_maps(FOUND)
    lines = [
        one
        for one in drawn(before).iter("{http://www.w3.org/2000/svg}path")
        if one.get("class") == "flow" and "Q" in one.get("d")
    ]
    assert [(one.get("stroke-width"), one.get("d").split("Q")[0]) for one in lines] == [
        ("7.0", lines[0].get("d").split("Q")[0])
    ]
    assert "Q" not in after
    assert flow_maps(replace(FOUND, flows=None)) == heat_maps(replace(FOUND, map=None)) == []
    empty = replace(FOUND.map, before=(0,) * 8, after=(0,) * 8)
    assert heat_maps(replace(FOUND, map=empty)) == []


def test_the_largest_map_is_small_and_few_shapes():
    """64 by 64 cells, all full."""
    shown = TraceMap(metres=50.0, rows=64, columns=64, fewest=5, before=tuple(range(5, 4101)), after=(9,) * 4096)
    (_, svg), _ = heat_maps(replace(FOUND, map=shown))
    assert len(svg) < 200_000
    assert len(list(drawn(svg).iter())) < 60
    assert len(boxes(drawn(svg))) == 4096


@pytest.mark.parametrize(("fewest", "most"), [(1, 1), (2, 3), (5, 19), (10, 537), (10, 10**6), (3, 10**9)])
def test_shades_are_six_at_most_begin_at_the_fewest_and_rise(fewest, most):
    edges = classes_of(fewest, most)
    assert edges[0] == fewest
    assert edges == sorted(set(edges))
    assert len(edges) <= CLASSES
    assert edges[-1] <= most


def test_the_report_has_the_maps_in_both_languages_and_leaves_them_out_elsewhere():
    column, done = ColumnEntry(name="who", role="identifying"), Done(method="none", summary="Nothing.")
    plain = ReleaseResult(sfumato="1", source=SourceTable(rows=9), columns=(column,), done=done, promise=())
    assert 'id="where"' not in render_html(plain)
    page = render_html(replace(plain, traces=FOUND))
    assert page.count("<desc>") == 4
    assert "Où vont les traces" in render_html(replace(plain, traces=FOUND), "fr")


def test_the_ground_is_as_wide_as_the_region_at_its_middle():
    ground = ground_of(FOUND, FOUND.map)
    wide, high = ground.size
    assert (wide, high) == (pytest.approx(398), pytest.approx(398 * 4000 / (8000 * ground.squeeze)))
