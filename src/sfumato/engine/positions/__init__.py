"""Positions of other formats as columns of degrees, and back: GeoParquet and geometries of frames, GPX files.

Files: `points` (well-known binary and structs of coordinates), `geoparquet`, `gpx`, `source` (which of them a source is).
"""
