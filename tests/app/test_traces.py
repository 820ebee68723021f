"""Traces from a plan to a release: on the command line and in Python, with dirty rows, and on real taxis."""

import csv
import json
import re
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest

import sfumato as front
from sfumato.document.header import PLAN
from sfumato.report import render_html
from sfumato.report.text import render_text
from sfumato.table.plane import Plane, Region, distance

PLAN_TEXT = f"""
format = "{PLAN.format}"
[source]
path = "fixes.csv"
[traces]
person = "who"
time = "at"
latitude = "lat"
longitude = "lon"
zone = "Europe/Paris"
written = "local"
fastest = 70
[region]
latitude = 45.70
longitude = 4.78
metres = 100
rows = 120
columns = 100
PROTECT
[measure]
trials = 50
fewest = 3
[output]
path = "release.csv"
report = "report.html"
result = "result.json"
"""
GEO = '[[protect]]\nname = "geo-indistinguishability"\nratio = 4\nwithin = 200\n'
PROMESSE = '[[protect]]\nname = "promesse"\nmetres = 100\n'
LYON = Region(Plane(45.70, 4.78), 100, 120, 100)


def walks(persons=6, days=2):
    """Rows of made-up persons: home at night, another place by day, a way between; a fix every 10 minutes."""
    rng = np.random.default_rng(17)
    rows = []
    for person in range(persons):
        home, work = (np.array([45.72, 4.80]) + rng.random(2) * [0.06, 0.07] for _ in range(2))
        for day in range(days):
            for ten in range(144):
                share = np.clip(min((ten - 48) / 6, (114 - ten) / 6), 0, 1)
                lat, lon = home + share * (work - home) + rng.normal(0, 2e-5, 2)
                at = datetime(2026, 3, 2 + day, tzinfo=UTC) + timedelta(minutes=10 * ten)
                rows.append([f"person-{person}", f"{at:%Y-%m-%d %H:%M:%S}", f"{lat:.6f}", f"{lon:.6f}", "of note"])
    return rows


def write(folder, rows, name="fixes.csv"):
    """A table of fixes."""
    with (folder / name).open("w", newline="") as file:
        csv.writer(file).writerows([["who", "at", "lat", "lon", "note"], *rows])


def released(folder):
    """The rows of the release."""
    with (folder / "release.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def run(command, folder, protect, *changes, rows=None):
    """Run the plan with changes on rows."""
    write(folder, walks() if rows is None else rows)
    text = PLAN_TEXT.replace("PROTECT", protect)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "plan.toml").write_text(text)
    return command("run", "plan.toml", "--json", cwd=folder)


def test_every_fix_becomes_a_center_under_a_new_number(sfumato, tmp_path):
    """Nobody is named, times say their zone, nothing else is released, and the reports of one person are added up.

    A stay is found again where three reports, 2.9 km away on average, lie within 200 m of each other and 100 m of the truth:
    for half of 30 stays that happens with a probability far below 1e-6.
    """
    done = run(sfumato, tmp_path, GEO, ("ratio = 4\nwithin = 200", "ratio = 2\nwithin = 1000"))
    assert done.code == 0, done.err
    rows = released(tmp_path)
    assert list(rows[0]) == ["who", "at", "lat", "lon"]
    assert {row["who"] for row in rows} == set("123456")
    order = [(int(row["who"]), row["at"]) for row in rows]
    assert order == sorted(order)
    assert rows[0]["at"] == "2026-03-02 00:00:00+01:00"
    place = np.array([[float(row["lat"]), float(row["lon"])] for row in rows]).T
    assert np.array_equal(LYON.centers_of(LYON.cells_of(*place)), place)
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["promise"][0]["parameters"]["reports"] == 288
    assert result["traces"]["persons_after"] == 6
    tried = {one["name"]: one for one in result["traces"]["tried"]}
    assert tried["persons_found"]["before"]["value"] == 1.0
    assert tried["stays_retrieved"]["after"]["value"] < 0.5
    assert all(one["after"]["low"] <= one["after"]["value"] <= one["after"]["high"] for one in tried.values())
    page = (tmp_path / "report.html").read_text()
    assert "person-" not in page
    assert "of note" not in page


def test_numbers_say_nothing_of_names(sfumato, tmp_path):
    """Drawn anew in each run: 4 runs give one order of 6 persons with probability 720^-3 < 3e-9."""
    found = set()
    for _ in range(4):
        run(sfumato, tmp_path, PROMESSE, rows=walks(days=1))
        found.add(tuple(row["lat"] for row in released(tmp_path)))
    assert len(found) > 1


def test_no_stay_is_left_at_constant_speed_and_nothing_is_promised(sfumato, tmp_path):
    """Fixes are as far apart as was asked; the report says that this is no promise."""
    long = ("[measure]", "[measure]\nstay_seconds = 7200")
    done = run(sfumato, tmp_path, PROMESSE, long)
    assert done.code == 0, done.err
    result = done.json
    assert result["promise"] == []
    assert any("No formal promise" in note for note in result["notes"])
    tried = {one["name"]: one for one in result["traces"]["tried"]}
    assert tried["stays_retrieved"]["after"]["value"] == 0
    rows = released(tmp_path)
    lat, lon = (np.array([float(row[name]) for row in rows]) for name in ("lat", "lon"))
    piece = np.array([row["who"] + row["at"][:10] for row in rows])
    metres = distance(lat[:-1], lon[:-1], lat[1:], lon[1:])[piece[:-1] == piece[1:]]
    assert np.abs(metres / 100 - 1).max() < 0.001


def test_protections_in_turn_say_what_the_promise_is_about(sfumato, tmp_path):
    """And a person in one week has fewer reports."""
    unit = ("[measure]", '[unit]\nper = "week"\n[measure]')
    done = run(sfumato, tmp_path, PROMESSE + GEO, unit)
    assert done.code == 0, done.err
    assert len(done.json["traces"]["protected"]) == 2
    assumptions = " ".join(done.json["promise"][0]["assumptions"])
    assert "the protection before it made" in assumptions
    assert "in one local week" in assumptions


@pytest.mark.parametrize("persons", ["renamed-by-piece", "kept", "dropped"])
def test_persons_are_told_as_the_plan_says(sfumato, tmp_path, persons):
    """A number for each day of each person; the name; nothing."""
    done = run(sfumato, tmp_path, GEO, ("\n[source]", f'\npersons = "{persons}"\n[source]'))
    assert done.code == 0, done.err
    rows = released(tmp_path)
    if persons == "dropped":
        assert list(rows[0]) == ["at", "lat", "lon"]
        keys = [(row["at"], float(row["lat"]), float(row["lon"])) for row in rows]
        assert keys == sorted(keys)
        assert all(one["after"] is None for one in done.json["traces"]["tried"])
    elif persons == "kept":
        assert {row["who"] for row in rows} == {f"person-{n}" for n in range(6)}
    else:
        assert {int(row["who"]) for row in rows} == set(range(1, 13))


DIRTY = [
    ["ann", "2026-03-02 10:00:00", "45.75", "4.85", ""],
    ["ann", "2026-03-02 09:00:00", "45.75", "4.84", ""],  # not in order
    ["ann", "2026-03-02 10:00:00", "45.75", "4.85", ""],  # repeated
    ["ann", "2026-03-02 10:00:00", "45.76", "4.85", ""],  # contradicts
    ["ann", "2026-03-29 02:30:00", "45.75", "4.85", ""],  # never was
    ["ann", "2026-10-25 02:30:00", "45.75", "4.85", ""],  # was twice
    ["ann", "2026-03-02 10:00:10", "45.80", "4.85", ""],  # too fast
    ["ann", "soon", "45.75", "4.85", ""],
    ["", "2026-03-02 11:00:00", "45.75", "4.85", ""],
    ["bob", "2026-03-02 11:00:00", "121.5", "31.2", ""],  # longitude first
    ["bob", "2026-03-02 12:00:00", "", "4.85", ""],
    ["bob", "2026-03-02 13:00:00", "0", "0", ""],
    ["bob", "2026-03-02 14:00:00", "45.75", "4.85", ""],
    ["=cmd|' /C calc'!A0", "2026-03-02 14:00:00", "45.75", "4.85", '<script>alert("x")</script>'],
]


def test_dirty_rows_are_counted_and_never_told(sfumato, tmp_path):
    """I5 and others: sorted, each kind of fault counted once."""
    done = run(sfumato, tmp_path, GEO, rows=DIRTY)
    assert done.code == 0, done.err
    read = done.json["traces"]["read"]
    wanted = {
        "rows": 14, "kept": 7, "without_person": 1, "without_time": 1, "skipped_times": 1, "twofold_times": 1,
        "impossible_places": 2, "at_zero": 1, "repeated": 1, "contradicting": 1, "too_fast": 2, "outside": 1,
    }  # fmt: skip
    assert read == wanted
    page = (tmp_path / "report.html").read_text()
    assert not any(word in page for word in ("<script>alert", "calc", "soon"))
    assert re.search(r"\bann\b", page) is None
    dropped = run(sfumato, tmp_path, GEO, ("fastest = 70", 'fastest = 70\noutside = "dropped"'), rows=DIRTY)
    assert dropped.json["traces"]["fixes_after"] == 6


BAD = {
    "no zone": ('zone = "Europe/Paris"\n', "", "zone", "must say"),
    "a zone that is none": ("Europe/Paris", "Lyon", "zone", "IANA"),
    "another word": ('"local"', '"utc+1"', "written", "local"),
    "a column that is not there": ('"lat"', '"latitude"', "latitude", "absent"),
    "one column twice": ('longitude = "lon"', 'longitude = "lat"', "different columns", "traces"),
    "neither degrees nor a cell": ('longitude = "lon"\n', "", "latitude and longitude", "cells"),
    "a cell of no size": ("metres = 100\nrows", "metres = 0\nrows", "region", "above 0"),
    "an origin elsewhere": ("latitude = 45.70", "latitude = 95", "latitude", "85"),
    "a speed below 0": ("fastest = 70", "fastest = -1", "fastest", "above 0"),
    "no protection": (GEO, "", "protect", "[[protect]]"),
    "half a level": ("within = 200", "", "ratio", "within"),
    "no epsilon": ("ratio = 4\nwithin = 200", "epsilon = 0", "epsilon", "above 0"),
    "an unknown one": ('"geo-indistinguishability"', '"blur"', "name", "promesse"),
    "no trial": ("trials = 50", "trials = 0", "trials", "above 0"),
    "an account": (
        "[measure]",
        '[account]\nledger = "sqlite:///l.db"\ndataset = "d"\nanalyst = "a"\nrequest = "r"\nbudget = { epsilon = 1 }\n[measure]',
        "account", "charged",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_wrong_plan_is_refused_with_a_remedy_and_nothing_is_written(sfumato, tmp_path, case):
    """I1 and I2: without a zone nothing is read."""
    old, new, *told = BAD[case]
    done = run(sfumato, tmp_path, GEO, (old, new))
    assert done.code not in {0, 1}
    assert all(word in done.err for word in told), done.err
    assert "Remedy: " in done.err
    assert {path.name for path in tmp_path.iterdir()} <= {"fixes.csv", "plan.toml"}


def test_coordinates_in_the_wrong_order_are_refused_where_nothing_is_left(sfumato, tmp_path):
    """With what to look at."""
    rows = [["ann", "2026-03-02 10:00", "121.5", "31.2", ""]] * 3
    done = run(sfumato, tmp_path, GEO, rows=rows)
    assert "none of its 3 rows has" in done.err
    assert "which coordinate comes first" in done.err


def test_days_end_at_midnight_of_the_declared_zone(sfumato, tmp_path):
    """I1: 23:00 UTC in Tokyo is the next morning. I2: over the start of summer time an interval is what it was."""
    rows = [
        ["ann", at, "45.75", "4.85", ""]
        for at in ("2026-03-02T14:50:00Z", "2026-03-02T15:10:00Z", "2026-03-02T23:00:00Z")
    ]
    by_piece = ("\n[source]", '\npersons = "renamed-by-piece"\n[source]')
    done = run(
        sfumato,
        tmp_path,
        GEO,
        ("Europe/Paris", "Asia/Tokyo"),
        ("fastest", "gap = 86400\nfastest"),
        by_piece,
        rows=rows,
    )
    assert done.code == 0, done.err
    days = {row["at"]: row["who"] for row in released(tmp_path)}
    assert sorted(days) == ["2026-03-02 23:50:00+09:00", "2026-03-03 00:10:00+09:00", "2026-03-03 08:00:00+09:00"]
    first, second, third = (days[at] for at in sorted(days))
    assert first != second == third
    rows = [["ann", at, "45.75", "4.85", ""] for at in ("2018-03-25 00:55:00", "2018-03-25 01:05:00")]
    done = run(sfumato, tmp_path, GEO, ('"local"', '"utc"'), rows=rows)
    assert [row["at"] for row in released(tmp_path)] == ["2018-03-25 00:55:00+00:00", "2018-03-25 01:05:00+00:00"]


def test_two_persons_with_one_fix_each_make_no_trip(sfumato, tmp_path):
    """I4: nothing goes from one person to another."""
    rows = [[who, "2026-03-02 10:00", lat, "4.85", ""] for who, lat in (("ann", "45.72"), ("bob", "45.78"))]
    done = run(sfumato, tmp_path, GEO, rows=rows)
    assert done.code == 0, done.err
    flows = next(one for one in done.json["worth"] if one["name"] == "traces_flows_kept")
    assert flows["value"] is None
    assert done.json["traces"]["read"]["too_fast"] == 0


def test_nothing_left_is_no_release(sfumato, tmp_path):
    """Nobody moves as far as Promesse asks."""
    rows = [["ann", f"2026-03-02 1{n}:00", "45.75", "4.85", ""] for n in range(5)]
    done = run(sfumato, tmp_path, PROMESSE, rows=rows)
    assert "nothing is left" in done.err
    assert not (tmp_path / "release.csv").exists()


def test_frames_come_back_as_frames_and_numbers_as_numbers(tmp_path):
    """In Python, with the report in both languages."""
    n = 40
    table = pa.table(
        {
            "who": ["a", "b"] * n,
            "at": np.arange(2 * n) * 60,
            "lat": np.linspace(45.72, 45.78, 2 * n),
            "lon": np.full(2 * n, 4.85),
        }
    )
    document = {
        "format": PLAN.format,
        "traces": {"person": "who", "time": "at", "latitude": "lat", "longitude": "lon", "zone": "UTC", "written": "seconds"},
        "region": {"latitude": 45.70, "longitude": 4.78, "metres": 100, "rows": 120, "columns": 100},
        "protect": [{"name": "promesse", "metres": 200}],
    }  # fmt: skip
    release = front.run(front.plan_from(document, folder=tmp_path), table)
    assert isinstance(release.frame, pa.Table)
    assert release.frame.schema.types[:2] == [pa.int64(), pa.int64()]
    assert sorted(set(release.frame["who"].to_pylist())) == [1, 2]
    english, french = (render_html(release.result, language) for language in ("en", "fr"))
    assert "Attacks that were tried" in english
    assert "Attaques essayées" in french
    assert "Arrêts retrouvés" in render_text(release.result, "fr")


def test_cells_of_h3_are_read_at_their_centers(sfumato, tmp_path):
    """And a release of positions comes out."""
    h3 = pytest.importorskip("h3")
    rows = [
        ["ann", "2026-03-02 10:00", h3.latlng_to_cell(45.75, 4.85, 10), "", ""],
        ["ann", "2026-03-02 11:00", "none", "", ""],
    ]
    change = ('latitude = "lat"\nlongitude = "lon"', 'cell = "lat"')
    done = run(sfumato, tmp_path, GEO.replace("ratio = 4\nwithin = 200", "epsilon = 10"), change, rows=rows)
    assert done.code == 0, done.err
    assert done.json["traces"]["read"]["impossible_places"] == 1
    (row,) = released(tmp_path)
    assert list(row) == ["who", "at", "latitude", "longitude"]
    center = [np.array([x]) for x in h3.cell_to_latlng(rows[0][2])]
    assert distance(*center, *(np.array([float(row[name])]) for name in ("latitude", "longitude")))[0] < 75


def test_taxis_are_found_no_more(shared, sfumato, tmp_path):
    """Cabspotting: four cabs of three days, at full rate, in Parquet."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    cabs = pq.read_table(shared / "data" / "mobility_cabspotting" / "cabspotting_50cabs.parquet")
    some = cabs.filter(pc.is_in(cabs["cab"], pa.array(sorted(set(cabs["cab"].to_pylist()))[:4])))
    begin = pc.min(some["t"]).as_py()
    some = some.filter(pc.less(some["t"], begin + 4 * 86400))
    lat, lon = (pc.divide(some[name].cast(pa.float64()), 1e5) for name in ("lat_e5", "lon_e5"))
    pq.write_table(pa.table({"who": some["cab"], "at": some["t"], "lat": lat, "lon": lon}), tmp_path / "cabs.parquet")
    bay = [("45.70", "37.2"), ("4.78", "-122.6"), ("rows = 120", "rows = 800"), ("columns = 100", "columns = 800"),
           ("Europe/Paris", "America/Los_Angeles"), ('"local"', '"seconds"'), ("fixes.csv", "cabs.parquet"),
           ("release.csv", "release.parquet")]  # fmt: skip
    done = run(sfumato, tmp_path, PROMESSE, *bay)
    assert done.code == 0, done.err
    tried = {one["name"]: one for one in done.json["traces"]["tried"]}
    assert tried["stays_retrieved"]["before"]["trials"] > 30
    assert tried["stays_retrieved"]["after"]["value"] < 0.1
    assert pq.read_table(tmp_path / "release.parquet").schema.names == ["who", "at", "lat", "lon"]


DRAFTED = {
    "local texts": (lambda at: at, "local"),
    "seconds": (lambda at: str(int(datetime.fromisoformat(f"{at}+00:00").timestamp())), "seconds"),
    "texts with an offset": (lambda at: f"{at.replace(' ', 'T')}Z", "utc"),
}


@pytest.mark.parametrize("how", DRAFTED)
def test_a_table_of_who_was_when_and_where_gets_a_plan_that_runs(sfumato, tmp_path, how):
    told, written = DRAFTED[how]
    rows = ["who,at,lat,lon,note", *(",".join([who, told(at), *more]) for who, at, *more in walks())]
    (tmp_path / "fixes.csv").write_text("\n".join(rows), encoding="utf-8")
    drafted = sfumato("draft", "fixes.csv", "--json")
    assert drafted.code == 0, drafted.err
    assert drafted.json["traces"] == ["who", "at", "lat", "lon"]
    text = (tmp_path / "plan.toml").read_text()
    assert text.startswith("#:schema ./sfumato-traces.schema.json")
    assert f'written = "{written}"' in text
    assert (tmp_path / "sfumato-traces.schema.json").is_file()
    ran = sfumato("run", "plan.toml", "--json")
    assert ran.code == 0, ran.err
    found = ran.json["traces"]
    assert (found["read"]["outside"], found["fixes_before"]) == (0, len(rows) - 1)
    assert "one of traces" in sfumato("draft", "fixes.csv", "--force").out


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("who,at,lat,lon", "ann,soon,45.7,4.8"),  # no times
        ("who,at,lat,lon", "ann,2026-03-02 10:00:00,north,4.8"),  # no degrees
        ("who,at,lat,lon", "ann,2026-03-02 10:00:00,145.7,4.8"),  # no latitude
        ("who,at,north,east", "ann,2026-03-02 10:00:00,45.7,4.8"),  # no names of degrees
    ],
)
def test_other_tables_get_a_plan_of_a_table(sfumato, tmp_path, header, line):
    (tmp_path / "table.csv").write_text("\n".join([header, *[line] * 5, line.replace("ann", "bob")]), encoding="utf-8")
    drafted = sfumato("draft", "table.csv", "--json")
    assert drafted.code == 0, drafted.err
    assert drafted.json["traces"] == []
    assert "[columns." in (tmp_path / "plan.toml").read_text()
