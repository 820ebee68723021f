"""Crowds and rules from a plan to a release: k by brute force on the file that was written, and what is refused."""

from collections import Counter

import numpy as np
import pytest
from tests.app.test_traces import released, run, walks

from sfumato.table.plane import distance

CLOAK = '[[protect]]\nname = "cloak"\nk = 4\nseconds = 1800\nway = "{}"\n'
SHARED = '[[protect]]\nname = "shared-paths"\nk = 3\nseconds = 600\nwidest = 6000\nlongest = 7200\n'
NEAR = '[[protect]]\nname = "near-paths"\nk = 3\ndelta = {}\nradius = 20000\n'


@pytest.mark.parametrize("way", ["hilbert", "quadtree"])
def test_every_time_and_place_is_that_of_k_persons(sfumato, tmp_path, way):
    done = run(sfumato, tmp_path, CLOAK.format(way), rows=walks(12, 1))
    assert done.code == 0, done.err
    shown = {}
    for row in released(tmp_path):
        shown.setdefault((row["at"], row["lat"], row["lon"]), set()).add(row["who"])
    assert shown
    assert min(map(len, shown.values())) >= 4
    assert "k-anonymity of positions" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("protect", [SHARED, NEAR.format(0)])
def test_every_record_is_that_of_k_persons(sfumato, tmp_path, protect):
    done = run(sfumato, tmp_path, protect, rows=walks(12, 1))
    assert done.code == 0, done.err
    records = {}
    for row in released(tmp_path):
        records.setdefault(row["who"], []).append((row["at"], row["lat"], row["lon"]))
    alike = Counter(map(tuple, records.values()))
    assert alike
    assert min(alike.values()) >= 3


def test_delta_above_zero_promises_no_k(sfumato, tmp_path):
    done = run(sfumato, tmp_path, NEAR.format(500), rows=walks(12, 1))
    assert done.code == 0, done.err
    assert "This is no k-anonymity" in (tmp_path / "report.html").read_text()


RULE = '[[protect]]\nname = "rule"\nshow = {}\n'
HOME = "latitude = 45.75\nlongitude = 4.83\nmetres = 1500\n"


def test_rules_that_follow_each_other_are_read_together_and_the_first_that_fits_decides(sfumato, tmp_path):
    """Person 0 is shown in the circle, which is hidden of all others; by night everybody is shown in cells of 3 km."""
    rules = RULE.format('"as it is"') + 'person = "person-0"\n' + RULE.format('"nothing"') + HOME
    rules += RULE.format('"cells"') + "side = 3000.0\nfirst = 22\nuntil = 6\n"
    rows = walks(6, 1)
    done = run(sfumato, tmp_path, rules, ("[source]", 'persons = "kept"\n[source]'), rows=rows)
    assert done.code == 0, done.err
    shown = {(row["who"], row["at"][:19]): (float(row["lat"]), float(row["lon"])) for row in released(tmp_path)}
    for who, at, lat, lon, _ in rows:
        spot = np.array([float(lat)]), np.array([float(lon)])
        is_hidden = who != "person-0" and distance(*spot, np.array([45.75]), np.array([4.83]))[0] <= 1500
        assert ((who, at) not in shown) == is_hidden
        if not is_hidden:
            moved = shown[who, at] != (float(lat), float(lon))
            assert moved == (who != "person-0" and not 6 <= int(at[11:13]) < 22)
    assert "Rules decided fix by fix" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize(
    ("protect", "changes", "told"),
    [
        (SHARED + '[[protect]]\nname = "promesse"\nmetres = 100\n', (), "come last"),
        (SHARED, (("[source]", 'persons = "kept"\n[source]'),), "must not be kept"),
        (CLOAK.format("hilbert").replace("k = 4", "k = 1"), (), "k of at least 2"),
        (SHARED.replace("widest = 6000", "widest = 0"), (), "boxes a size above 0"),
        (NEAR.format(-1), (), "`delta` be 0 or more"),
        (RULE.format('"nothing"') + "metres = 300\n", (), "together"),
        (RULE.format('"cells"') + "side = -5.0\n", (), "above 0 metres"),
        (RULE.format('"cells"'), (), "needs their `side`"),
        (RULE.format('"nothing"') + "days = [9]\n", (), "Hours must begin"),
        (SHARED.replace("k = 3", "k = 40"), (), "too few"),
    ],
)
def test_what_makes_no_crowd_is_refused_and_nothing_is_written(sfumato, tmp_path, protect, changes, told):
    done = run(sfumato, tmp_path, protect, *changes, rows=walks(6, 1))
    assert done.code != 0
    assert told in done.err
    assert not (tmp_path / "release.csv").exists()
