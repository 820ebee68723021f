"""Traces from files and frames, with real ones."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato
from sfumato import TraceColumns, read_traces
from sfumato.errors import ParameterError, SchemaError

COLUMNS = TraceColumns("who", "at", "lat", "lon", zone="Europe/Paris", written="local")
ROWS = {
    "who": ["07", "07", "7", None],
    "at": ["2026-01-01 08:00:00", "2026-01-01 07:00:00", "2026-01-01 08:00:00", "2026-01-01 08:00:00"],
    "lat": [45.75, 45.76, 45.77, 1.0],
    "lon": [4.85, 4.85, 4.85, 1.0],
}


@pytest.mark.parametrize("kind", ["csv", "parquet", "pandas", "polars", "arrow"])
def test_one_table_of_any_kind_is_the_same_traces(tmp_path, kind):
    frame = pd.DataFrame(ROWS)
    frame["at"] = frame["at"] if kind == "csv" else pd.to_datetime(frame["at"])
    if kind == "csv":
        frame.to_csv(tmp_path / "t.csv", index=False)
    elif kind == "parquet":
        pq.write_table(pa.Table.from_pandas(frame), tmp_path / "t.parquet")
    source = {"csv": tmp_path / "t.csv", "parquet": tmp_path / "t.parquet", "pandas": frame}.get(kind)
    if kind in ("polars", "arrow"):
        source = {"polars": pl.from_pandas(frame), "arrow": pa.Table.from_pandas(frame)}[kind]
    traces, found = read_traces(source, COLUMNS, fastest=50)
    assert sorted(traces.persons) == ["07", "7"]
    assert traces.steps()[1].tolist() == [3600.0]
    assert found.kept + found.without_person == found.rows == 4
    assert traces.time.min() == 1767247200000  # 06:00 UTC


def test_an_absent_column_or_zone_is_refused(tmp_path):
    with pytest.raises(SchemaError, match="'latitude'"):
        read_traces(pa.table(ROWS), TraceColumns("who", "at", "latitude", "lon", zone="UTC", written="utc"))
    with pytest.raises(ParameterError, match="time zone"):
        read_traces(pa.table(ROWS), TraceColumns("who", "at", "lat", "lon", zone="local", written="utc"))
    with pytest.raises(TypeError, match="zone"):
        TraceColumns("who", "at", "lat", "lon")


def test_real_check_ins_are_counted(shared):
    """The README of the data: 138,957 rows, 7,115 users, 6 exact duplicates, newest first."""
    path = shared / "data" / "mobility_gowalla_nyc" / "gowalla_nyc_checkins.csv.gz"
    columns = TraceColumns("user", "checkin_time", "lat", "lon", zone="America/New_York", written="utc")
    traces, found = sfumato.read_traces(path, columns, fastest=70)
    assert (found.rows, len(traces.persons), found.repeated) == (138_957, 7_115, 6)
    assert found.kept == found.rows - found.repeated - found.contradicting == 138_949


def test_real_taxis_have_steps_no_taxi_can_make(shared):
    path = shared / "data" / "mobility_cabspotting" / "cabspotting_50cabs.parquet"
    frame = pq.read_table(path).to_pandas()
    frame["lat"], frame["lon"] = frame.lat_e5 / 1e5, frame.lon_e5 / 1e5
    columns = TraceColumns("cab", "t", "lat", "lon", zone="America/Los_Angeles", written="seconds")
    traces, found = read_traces(frame, columns, fastest=50)
    assert (found.rows, found.kept, len(traces.persons)) == (1_123_175, 1_123_175, 50)
    assert found.too_fast == 4567
