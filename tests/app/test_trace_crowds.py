"""Crowds from a plan to a release: k by brute force on the file that was written, and what is refused."""

from collections import Counter

import pytest
from tests.app.test_traces import released, run, walks

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


@pytest.mark.parametrize(
    ("protect", "changes", "told"),
    [
        (SHARED + '[[protect]]\nname = "promesse"\nmetres = 100\n', (), "come last"),
        (SHARED, (("[source]", 'persons = "kept"\n[source]'),), "must not be kept"),
        (CLOAK.format("hilbert").replace("k = 4", "k = 1"), (), "k of at least 2"),
        (SHARED.replace("widest = 6000", "widest = 0"), (), "boxes a size above 0"),
        (NEAR.format(-1), (), "`delta` be 0 or more"),
        (SHARED.replace("k = 3", "k = 40"), (), "too few"),
    ],
)
def test_what_makes_no_crowd_is_refused_and_nothing_is_written(sfumato, tmp_path, protect, changes, told):
    done = run(sfumato, tmp_path, protect, *changes, rows=walks(6, 1))
    assert done.code != 0
    assert told in done.err
    assert not (tmp_path / "release.csv").exists()
