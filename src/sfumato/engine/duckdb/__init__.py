"""The embedded engine: DuckDB, out of core, one private connection for each table.

Files: `table` (the handle), `connect` (private connections), `quote` (names and texts in SQL),
`scan` (from any source to a handle).
"""
