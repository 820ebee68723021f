"""Traces on Spark: the same fixes as on one computer where nothing is drawn, the same cells where something is."""

import numpy as np
import pyarrow as pa
import pytest

from sfumato import TraceColumns, read_traces
from sfumato.errors import ParameterError, SchemaError
from sfumato.front.spark_traces import protect_on_spark
from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.promesse import Promesse
from sfumato.noise.bits import SystemBits
from sfumato.table.plane import Plane, Region
from sfumato.table.traces import Traces

COLUMNS = TraceColumns("who`m", "at", "lat", "lon", zone="Europe/Paris", written="local")


def walks(n=9, fixes=60):
    """A table in no order, with a person who has no fix and a row without a person."""
    rng = np.random.default_rng(5)
    lat = 45.75 + np.cumsum(rng.normal(0, 0.001, (n, fixes)), axis=1)
    rows = [(f"p{i}", f"2026-03-0{1 + j // 30} 10:{j % 60:02}:00", float(lat[i, j]), 4.85) for i in range(n) for j in range(fixes)]  # fmt: skip
    rows += [("nowhere", "2026-03-01 10:00:00", 95.0, 4.85), (None, "2026-03-01 10:00:00", 45.0, 4.85)]
    return [rows[i] for i in rng.permutation(len(rows))]


def in_order(table):
    return sorted(zip(*(table[name].to_pylist() for name in ("person", "time", "latitude", "longitude")), strict=True))


def test_spark_makes_the_fixes_of_one_computer(sail):
    rows = walks()
    frame = sail.createDataFrame(rows, "`who``m` string, at string, lat double, lon double")
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(("who`m", "at", "lat", "lon"))})
    smoothing = Promesse(100, 3600)
    local = smoothing.smooth(read_traces(table, COLUMNS)[0])
    for parts in (1, 4):
        found = protect_on_spark(frame, COLUMNS, smoothing.smooth, parts=parts).toArrow()
        assert in_order(found) == sorted(zip([local.persons[i] for i in local.person.tolist()], local.time.tolist(), local.latitude.tolist(), local.longitude.tolist(), strict=True))  # fmt: skip
    assert len(local) > 50


def test_what_is_drawn_on_workers_is_a_cell_of_the_region(sail):
    frame = sail.createDataFrame(walks(3, 20), "`who``m` string, at string, lat double, lon double")
    law = GeoIndistinguishable(Region(Plane(45.70, 4.78), 100, 200, 200), "0.01")

    def draw(traces):
        where = law.protect(traces.latitude, traces.longitude, bits=SystemBits())
        return Traces(traces.zone, traces.persons, traces.person, traces.time, *where)

    found = protect_on_spark(frame, COLUMNS, draw).toArrow()
    lat, lon = (np.array(found[name].to_pylist()) for name in ("latitude", "longitude"))
    assert len(lat) == 60
    assert np.allclose(np.stack(law.region.centers_of(law.region.cells_of(lat, lon))), np.stack([lat, lon]), atol=1e-9)
    with pytest.raises(SchemaError, match="absent"):
        protect_on_spark(frame, TraceColumns("who", "at", "lat", "lon", zone="UTC", written="utc"), draw)
    with pytest.raises(ParameterError, match="on Spark"):
        protect_on_spark(frame, TraceColumns("who`m", "at", zone="UTC", written="utc"), draw)
