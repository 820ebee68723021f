"""Budgets over many reports in a plan: what is released, promised and refused."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato
from sfumato.errors import PlanError

HOME, WORK = (45.7501, 4.8501), (45.7601, 4.8601)


def day():
    """Two persons who stay at home, go to work and come back."""
    at = [HOME] * 60 + [WORK] * 60 + [HOME] * 60
    rows = [(who, 1_780_000_000 + 60 * i, *place) for who in ("ann", "bob") for i, place in enumerate(at)]
    return pa.table({name: [row[i] for row in rows] for i, name in enumerate(("who", "at", "lat", "lon"))})


def plan(protect, **more):
    return {
        "format": "sfumato.plan/1",
        "traces": {"person": "who", "time": "at", "latitude": "lat", "longitude": "lon", "zone": "Europe/Paris", "written": "seconds"},
        "region": {"latitude": 45.70, "longitude": 4.78, "metres": 50, "rows": 200, "columns": 200},
        "persons": "kept", "protect": [protect], **more,
    }  # fmt: skip


def released(protect):
    release = sfumato.run(sfumato.plan_from(plan(protect), folder=Path()), day())
    where = np.array([release.frame[name].to_pylist() for name in ("lat", "lon")]).T
    return release, where.reshape(2, 180, 2)


def test_each_cell_of_a_person_is_released_as_one():
    release, where = released({"name": "memoised-reports", "ratio": 4, "within": 200})
    for person in where:
        assert len(np.unique(np.concatenate([person[:60], person[120:]]), axis=0)) == 1
        assert len(np.unique(person[60:120], axis=0)) == 1
    assert "distinct cells" in str(release.result)


def test_the_last_cell_is_released_while_it_is_near_and_the_budget_is_promised():
    way = {"name": "predictive-reports", "epsilon": "0.01", "test": "0.002", "metres": 800, "budget": "0.1"}
    release, where = released(way)
    for person in where:
        assert 1 <= len(np.unique(person, axis=0)) <= 9  # 0.1 pays nine draws and their tests at most
    assert "e^(0.1 d)" in str(release.result)


@pytest.mark.parametrize("name", ["memoised-reports", "predictive-reports"])
def test_weeks_are_refused(name):
    more = {"test": "0.002", "metres": 800} if name.startswith("p") else {}
    with pytest.raises(PlanError, match="by person"):
        sfumato.plan_from(plan({"name": name, "epsilon": "0.01", **more}, unit={"per": "week"}), folder=Path())


GPX = """<gpx version="1.1"><trk><name>{who}</name><trkseg>{points}</trkseg></trk></gpx>"""


def test_gpx_in_and_geoparquet_out(tmp_path):
    """A folder of tracks is released as points that GeoParquet readers know."""
    for who in ("ann", "bob"):
        points = "".join(f'<trkpt lat="{45.74 + i / 2000}" lon="4.85"><time>2026-05-01T10:{i:02}:00Z</time></trkpt>' for i in range(40))  # fmt: skip
        (tmp_path / f"{who}.gpx").write_text(GPX.format(who=who, points=points))
    asked = plan({"name": "promesse", "metres": 100}, output={"path": "release.geoparquet"})
    asked["traces"] |= {"person": "person", "time": "time", "latitude": "latitude", "longitude": "longitude", "written": "utc"}  # fmt: skip
    tracks = sfumato.gpx(tmp_path, person="track")
    pq.write_table(tracks, tmp_path / "tracks.parquet")
    asked["source"] = {"path": "tracks.parquet"}
    sfumato.run(sfumato.plan_from(asked, folder=tmp_path))
    columns = sfumato.TraceColumns("person", "time", zone="Europe/Paris", written="utc")
    by_points, _ = sfumato.read_traces(tmp_path / "release.geoparquet", columns)
    assert by_points.persons == ("ann", "bob")
    assert np.allclose(by_points.steps()[0], 100, rtol=1e-3)
    in_memory = sfumato.run(sfumato.plan_from({k: v for k, v in asked.items() if k not in {"source", "output"}}, folder=tmp_path), tracks)  # fmt: skip
    assert len(in_memory.frame) == len(by_points)
