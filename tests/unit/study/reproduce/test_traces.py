"""Traces run again: the toy table of scikit-mobility, and who is found in real traces."""

from functools import cache

import numpy as np
import pytest

from sfumato import TraceColumns, read_traces
from sfumato.attack.traces.background import visits_of
from sfumato.study import catalog
from sfumato.study.catalog import reproduce
from sfumato.study.reproduce import data, friends, side_by_side, trace_data, traces, unicity
from sfumato.study.reproduce.visits_toy import toy

SIDE_BY_SIDE = 25
"""Persons whose traces are protected in five ways: half of those of a quick version."""


@pytest.fixture(scope="module", autouse=True)
def read_once():
    """The check-ins are read, and their traces made, once for all experiments."""
    found = {}

    def once(order, given):
        if given.name not in found:
            found[given.name] = trace_data.traces_of(order, given)
        return found[given.name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "read", cache(data.read))
        for one in (friends, traces, unicity):
            patch.setattr(one, "traces_of", once)
        patch.setattr(side_by_side, "traces_of", lambda *of: once(*of).only(np.arange(SIDE_BY_SIDE)))
        yield


def ran(name, data=None):
    return reproduce(name, data, runs=None, quick=True, seed=1, progress=lambda *_: None)[1]


def test_every_risk_of_the_toy_table_is_the_recorded_one():
    found = ran("visits-toy")
    assert len(found.rows) == 11 * 7
    assert [row for row in found.rows if row["risk"] != row["recorded"]] == []
    differ = {(row["attack"], row["tolerance"]) for row in found.rows if row["stated"] != row["recorded"]}
    assert differ == {("home and work", 0.0), ("probabilities", 0.5), ("proportions", 0.5)}


def test_the_toy_table_in_code_is_the_file(shared):
    path = shared / "data" / "mobility_geolife" / "privacy_toy.csv"
    found, _ = read_traces(path, TraceColumns("uid", "datetime", "lat", "lng", zone="UTC", written="utc"))
    _, place = np.unique(np.stack([found.latitude, found.longitude]), axis=1, return_inverse=True)
    file, ours = visits_of(found, place.ravel(), 86_400_000), toy()
    assert file.person.tolist() == ours.person.tolist()
    assert file.place.tolist() == ours.place.tolist()
    assert np.ptp(file.time - ours.time) == 0


def test_persons_are_found_in_check_ins(shared):
    """50 persons, 28 of whom are in both halves: 21 found by heat maps as traces are; noise of 200 m on average hides few
    of them, and nobody is found by a shuffled name but by luck. All chance has a seed: nothing here is drawn anew."""
    found = {(row["protection"], row["attack"]): row for row in ran("traces-gowalla", shared / "data").rows}
    as_is, noised = (found[name, "heat map"] for name in ("identity", "geo-ind .01"))
    assert (as_is["persons"], round(as_is["found"] * 28)) == (28, 21)
    assert noised["found"] > as_is["found"] - 0.25
    assert found["identity", "any of the three"]["found"] >= max(as_is["found"], found["identity", "places"]["found"])
    assert all(row["control"] < 0.15 for row in found.values())


def test_coarser_points_tell_less(shared):
    rows = {(r["metres"], r["hours"], r["points"]): r["alone"] for r in ran("unicity-gowalla", shared / "data").rows}
    for fine, coarse in (((200, 1), (800, 24)), ((800, 24), (3200, 24)), ((3200, 24), (12800, 24))):
        assert rows[(*fine, 1)] > rows[(*coarse, 1)] + 0.1
    assert rows[200, 1, 4] > 0.98


def test_averages_miss_by_their_law_and_a_remembered_report_does_not_get_better():
    """300 persons: a mean of 100 reports is within 6 standard errors (3 x what is told) of its law; the law is
    asymptotic, within 2 % at 100. All chance has a seed."""
    rows = {(row["reports"], row["noise"], row["estimate"]): row for row in ran("repeated-positions").rows}
    for by in ("mean", "median", "likeliest"):
        one = rows[100, "anew", by]
        assert abs(one["miss"] - one["law"]) <= 3 * one["error"] + 0.02 * one["law"]
    assert rows[100, "anew", "likeliest"]["miss"] < rows[100, "anew", "mean"]["miss"]
    assert rows[100, "remembered", "mean"]["miss"] == pytest.approx(rows[1, "anew", "mean"]["miss"])


def test_simulated_pairs_are_found_the_surer_the_more_they_meet(shared):
    found = {
        (row["together"], row["weighing"]): row["found"] for row in ran("acquaintances-gowalla", shared / "data").rows
    }
    for by in ("rare places", "shared times"):
        assert found[0, by] < 0.15 < found[1, by] < found[10, by]
        assert found[10, by] > 0.8


def test_protections_stand_side_by_side(shared):
    """What is left alone has all worth; crowds leave no stay; k equal records leave nobody alone; no chance is drawn anew."""
    rows = {row["protection"]: row for row in ran("protections-gowalla", shared / "data").rows}
    assert [rows["as it is"][key] for key in ("fixes", "cells", "flows", "boxes")] == [1, 1, 1, 0]
    assert max(rows[name]["stays"] for name in ("cloak k 3", "shared paths k 3")) < 0.02 < rows["geo-ind .01"]["stays"]
    assert rows["shared paths k 3"]["alone"] == 0 < rows["Promesse 100 m"]["alone"]
    assert rows["cloak k 3"]["fixes"] < rows["geo-ind .01"]["fixes"] == 1
