"""Positions of other formats: points as they are stored, GeoParquet, GPX and cells, read as the same traces."""

import json
import struct

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato
from sfumato import TraceColumns, read_traces
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.positions.points import points_of, wkb_of
from sfumato.errors import ParameterError, SchemaError, SourceError
from sfumato.table.cells import Box, SquareGrid
from sfumato.table.source import FileSink, FrameSource

LAT, LON = np.array([45.75, 45.76, 45.77]), np.array([4.85, 4.86, -4.87])
WHO, AT = ["ann", "ann", "bob"], ["2026-01-01T10:00:00Z", "2026-01-01T10:05:00Z", "2026-01-01T10:00:00Z"]
COLUMNS = TraceColumns("who", "at", zone="Europe/Paris", written="utc")
PLAIN = TraceColumns("who", "at", "lat", "lon", zone="Europe/Paris", written="utc")


def same(traces):
    assert traces.persons == ("ann", "bob")
    assert traces.latitude.tolist() == LAT.tolist()
    assert traces.longitude.tolist() == LON.tolist()
    assert np.diff(traces.time).tolist() == [300_000, -300_000]


def geoparquet(path, column, about, **more):
    said = {"version": "1.1.0", "primary_column": "p", "columns": {"p": about}}
    table = pa.table({"who": WHO, "at": AT, "p": column, **more})
    pq.write_table(table.replace_schema_metadata({"geo": json.dumps(said)}), path)
    return path


def test_points_of_any_byte_order_with_heights_and_reference_systems():
    kinds = [struct.pack("<BIdd", 1, 1, 4.85, 45.75), struct.pack(">BIdd", 0, 1, 4.86, 45.76), struct.pack("<BIddd", 1, 1001, 1, 2, 3)]  # fmt: skip
    kinds += [struct.pack("<BIIdd", 1, 0x20000001, 4326, 5, 6), struct.pack("<BIddd", 1, 0x80000001, 7, 8, 9), None]
    for kind in (pa.binary(), pa.large_binary()):
        lat, lon = points_of(pa.chunked_array([pa.array(kinds, kind)[1:], pa.array(kinds[:1], kind)]))
        assert lat[:-2].tolist() == [45.76, 2.0, 6.0, 8.0]
        assert np.isnan(lat[-2])
        assert (lat[-1], lon[-1]) == (45.75, 4.85)


def test_points_come_back():
    rng = np.random.default_rng(1)
    lat, lon = rng.uniform(-90, 90, 1000), rng.uniform(-180, 180, 1000)
    again = points_of(wkb_of(lat, lon)[5:])
    assert np.array_equal(again[0], lat[5:])
    assert np.array_equal(again[1], lon[5:])


@pytest.mark.parametrize(
    "bad", [b"", b"\x01\x02\x00\x00\x00" + bytes(16), b"\x07" + bytes(20), struct.pack("<BI", 1, 1)]
)
def test_what_is_no_point_is_refused_and_not_shown(bad):
    with pytest.raises(SourceError, match="must be a point"):
        points_of(pa.array([bad]))


@pytest.mark.parametrize("crs", [None, {"id": {"authority": "EPSG", "code": 4326}}, {"id": {"authority": "OGC", "code": "CRS84"}}])  # fmt: skip
def test_geoparquet_is_read(tmp_path, crs):
    about = {"encoding": "WKB", "geometry_types": ["Point"]} | ({} if crs is None else {"crs": crs})
    same(read_traces(geoparquet(tmp_path / "a.parquet", wkb_of(LAT, LON).cast(pa.binary()), about), COLUMNS)[0])


def test_structs_of_coordinates_and_frames_are_read(tmp_path):
    column = pa.StructArray.from_arrays([pa.array(LON), pa.array(LAT)], ["x", "y"])
    same(
        read_traces(geoparquet(tmp_path / "a.parquet", column, {"encoding": "point", "geometry_types": []}), COLUMNS)[0]
    )
    said = {"ARROW:extension:name": "geoarrow.wkb", "ARROW:extension:metadata": '{"crs": "EPSG:4326"}'}
    schema = pa.schema([("who", pa.string()), ("at", pa.string()), pa.field("g", pa.large_binary(), metadata=said)])
    frame = pa.table([WHO, AT, wkb_of(LAT, LON)], schema=schema)
    named = TraceColumns("who", "at", zone="UTC", written="utc", geometry="g")
    same(read_traces(frame, named)[0])
    same(read_traces(FrameSource(frame), named)[0])


@pytest.mark.parametrize(
    ("about", "problem"),
    [
        ({"encoding": "WKB", "crs": None}, "WGS 84"),
        ({"encoding": "WKB", "crs": {"id": {"authority": "EPSG", "code": 2154}}}, "WGS 84"),
        ({"encoding": "WKB", "crs": {"name": "WGS 84"}}, "WGS 84"),
        ({"encoding": "WKB", "geometry_types": ["Point", "LineString"]}, "points only"),
        ({"encoding": "polygon"}, "encoded as"),
    ],
)
def test_other_geometries_and_reference_systems_are_refused(tmp_path, about, problem):
    with pytest.raises(SourceError, match=problem):
        read_traces(geoparquet(tmp_path / "a.parquet", wkb_of(LAT, LON).cast(pa.binary()), about), COLUMNS)


def test_positions_that_nobody_named_are_refused(tmp_path):
    path = tmp_path / "plain.parquet"
    pq.write_table(pa.table({"who": WHO, "at": AT, "lat": LAT, "lon": LON}), path)
    with pytest.raises(SourceError, match="must be named"):
        read_traces(path, COLUMNS)
    with pytest.raises(SourceError, match="no Parquet file"):
        read_traces(tmp_path / "absent.gpx", COLUMNS)
    with pytest.raises(SourceError, match="person and time"):
        read_traces(geoparquet(tmp_path / "b.parquet", wkb_of(LAT, LON), {"encoding": "WKB"}), TraceColumns("ann", "at", zone="UTC", written="utc"))  # fmt: skip
    with pytest.raises(ParameterError, match="one of points"):
        TraceColumns("who", "at", "lat", zone="UTC", written="utc")


def test_geoparquet_is_written_and_read_again(tmp_path):
    """By the engine, as a release is; degrees stay beside points, and a row without a position has no point."""
    engine = DuckDBEngine()
    rows = {"who": WHO, "at": AT, "lat": [45.75, 45.76, None], "lon": [4.85, 4.86, None]}
    path = tmp_path / "out.geoparquet"
    receipt = engine.write(engine.scan(FrameSource(pa.table(rows))), FileSink(path))
    assert receipt.kind == "parquet"
    table = pq.read_table(path)
    assert table.column_names == ["who", "at", "lat", "lon", "geometry"]
    assert json.loads(table.schema.metadata[b"geo"])["primary_column"] == "geometry"
    assert [x is None for x in table["geometry"].to_pylist()] == [False, False, True]
    by_points, by_degrees = read_traces(path, COLUMNS), read_traces(path, PLAIN)
    assert by_points[0].latitude.tolist() == by_degrees[0].latitude.tolist() == [45.75, 45.76]
    assert by_points[1] == by_degrees[1]
    assert engine.header(engine.scan(FrameSource(table))).names[-1] == "geometry"
    with pytest.raises(SourceError, match="GeoParquet needs"):
        engine.write(engine.scan(FrameSource(pa.table({"a": [1]}))), FileSink(tmp_path / "no.geoparquet"))
    assert not (tmp_path / "no.geoparquet").exists()


GPX = """<?xml version="1.0"?>
<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" version="1.1"><g:wpt lat="1" lon="1"><g:time>2026-01-01T00:00:00Z</g:time></g:wpt>
<g:trk><g:name>ann</g:name><g:trkseg><g:trkpt lat="45.75" lon="4.85"><g:ele>1</g:ele><g:time> 2026-01-01T10:00:00Z </g:time></g:trkpt></g:trkseg>
<g:trkseg><g:trkpt lat="45.76" lon="4.86"><g:time>2026-01-01T10:05:00Z</g:time></g:trkpt><g:trkpt lat="no" lon="4"/></g:trkseg></g:trk>
<g:trk><g:trkseg><g:trkpt lat="45.77" lon="-4.87"><g:time>2026-01-01T10:00:00Z</g:time></g:trkpt></g:trkseg></g:trk></g:gpx>"""
OF_GPX = TraceColumns("person", "time", "latitude", "longitude", zone="Europe/Paris", written="utc")


def test_gpx_files_are_read_by_file_or_by_track(tmp_path):
    (tmp_path / "bob.gpx").write_text(GPX)
    by_track, found = read_traces(sfumato.gpx(tmp_path, person="track"), OF_GPX)
    assert by_track.persons == ("ann", "bob 2")
    assert by_track.latitude.tolist() == LAT.tolist()
    assert (found.rows, found.without_time) == (4, 1)
    (tmp_path / "ann.gpx").write_text(GPX)
    by_file, found = read_traces(sfumato.gpx([tmp_path / "ann.gpx", tmp_path / "bob.gpx"], person="file"), OF_GPX)
    assert by_file.persons == ("ann", "bob")
    assert found.contradicting == 2  # two tracks of one file at one time


LAUGHS = '<!DOCTYPE gpx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><gpx><trk><name>&b;</name></trk></gpx>'


@pytest.mark.parametrize(
    "text",
    [
        LAUGHS,
        '<!DOCTYPE gpx SYSTEM "file:///etc/passwd"><gpx/>',
        "<kml/>",
        "<?xml version='1.0' encoding='klingon'?><gpx/>",
        "<gpx>",
        "",
        "\0",
        GPX[:-9],
    ],
)
def test_what_is_no_gpx_or_hides_entities_is_refused(tmp_path, text):
    (tmp_path / "a.gpx").write_text(text)
    with pytest.raises(SourceError, match="must be a GPX file"):
        sfumato.gpx(tmp_path / "a.gpx", person="file")


def test_gpx_sources_that_are_none_are_refused(tmp_path):
    for paths, person in ((tmp_path, "file"), (tmp_path / "no.gpx", "file"), (tmp_path, "somebody")):
        with pytest.raises(SourceError):
            sfumato.gpx(paths, person=person)


def test_squares_and_hexagons_are_read_as_their_centers():
    grid = SquareGrid(Box(45.70, 4.78, 45.80, 4.90), metres=1000)
    cells = grid.cells_of(LAT, np.array([4.85, 4.86, 4.87]))
    columns = TraceColumns("who", "at", cell="c", grid=grid, zone="UTC", written="utc")
    traces, found = read_traces(
        pa.table({"who": [*WHO, "bob"], "at": [*AT, AT[1]], "c": [*cells.tolist(), 10**9]}), columns
    )
    assert np.array_equal(grid.cells_of(traces.latitude, traces.longitude), cells)
    assert found.impossible_places == 1
    h3 = pytest.importorskip("h3")
    names = [h3.latlng_to_cell(lat, lon, 9) for lat, lon in zip(LAT, LON, strict=True)]
    for given in (names, [name.upper() for name in names], [h3.str_to_int(name) for name in names]):
        table = pa.table({"who": [*WHO, "bob"], "at": [*AT, AT[1]], "c": [*given, None]})
        traces, found = read_traces(table, TraceColumns("who", "at", cell="c", grid="h3", zone="UTC", written="utc"))
        assert [h3.latlng_to_cell(*x, 9) for x in zip(traces.latitude, traces.longitude, strict=True)] == names
        assert found.impossible_places == 1
    with pytest.raises(SchemaError, match="none of its 1 rows"):
        read_traces(pa.table({"who": ["a"], "at": [AT[0]], "c": ["nowhere"]}), TraceColumns("who", "at", cell="c", grid="h3", zone="UTC", written="utc"))  # fmt: skip
