"""What a result tells of places is of enough persons: no cell, flow or path of few."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import sfumato
from sfumato.release.plan_reader import plan_from
from sfumato.release.traces.maps import FLOW_CELLS, MAP_CELLS, MOST_FLOWS
from sfumato.report import read_result, render_html

PLAN = """
format = "sfumato.plan/1"
persons = "kept"
[traces]
person = "who"
time = "at"
latitude = "lat"
longitude = "lon"
zone = "UTC"
written = "seconds"
[region]
latitude = 45.0
longitude = 4.0
metres = 50
rows = 40
columns = 60
[[protect]]
name = "geo-indistinguishability"
epsilon = "50"
[measure]
fewest = 4
trials = 20
boxes = 20
"""


@pytest.fixture(scope="module")
def result():
    """Six persons commute along one street; one of them, alone, goes to a hut of its own in the north-east."""
    rows = []
    for person in range(6):
        for day in range(4):
            begin = day * 86_400 + 28_800 + person
            rows += [(f"p{person}", begin + 60 * i, 45.0002, 4.0002 + i * 0.002) for i in range(8)]
            if person == 0:
                rows += [(f"p{person}", begin + 600 + 60 * i, 45.0002 + i * 0.002, 4.016) for i in range(8)]
    columns = dict(zip(("who", "at", "lat", "lon"), map(list, zip(*rows, strict=True)), strict=True))
    return sfumato.run(plan_from(tomllib.loads(PLAN), folder=Path()), pa.table(columns)).result


def test_cells_and_flows_of_few_persons_are_neither_in_the_result_nor_on_a_map(result):
    """With ε = 50 a metre reports stay in their cell: 8 cells of the street have 6 persons, those of the hut's way one."""
    found = result.traces
    assert sorted(set(found.map.before)) == sorted(set(found.map.after)) == [0, 6]
    assert sum(count > 0 for count in found.map.before) == 8
    row = np.flatnonzero(found.map.before) // found.map.columns
    assert row.max() == 0  # the way of the one person leads north
    assert len(found.flows.before) == len(found.flows.after) == 1  # of five persons, along the street
    assert found.flows.before[0].trips == 20
    assert found.flows.before[0].target < found.flows.columns


def test_no_path_and_no_position_of_a_person_is_in_the_result_or_the_report(result):
    """Degrees of fixes stand in neither; the only lines are flows, and there are fewer of them than fixes."""
    text, page = result.to_json(), render_html(result)
    for words in (text, page):
        assert "45.0002" not in words
        assert "4.016" not in words
    assert "<polyline" not in page
    assert read_result(text).traces == result.traces
    assert "p0" not in json.dumps(json.loads(text)["traces"])


def test_maps_are_bounded(result):
    shown, flows = result.traces.map, result.traces.flows
    assert max(shown.rows, shown.columns) <= MAP_CELLS
    assert max(flows.rows, flows.columns) <= FLOW_CELLS
    assert len(flows.before) <= MOST_FLOWS
