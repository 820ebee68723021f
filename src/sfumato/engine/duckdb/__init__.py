"""The embedded engine: DuckDB, out of core, one private connection and catalog for each table.

Files, reading side: `table` (the handle, and what failures mean), `scan` (from any source to a handle), `database`
(private databases and the catalogs in them), `connect` (workspaces, names in SQL, where loaded cells lie), `survey` (encoding and line ends), `delimited` (CSV),
`rewrite` (odd and broken CSV), `columnar` (Parquet, Arrow files), `excel`, `frames` (tables in memory), `sql`
(databases), `columns` and `batch` (single columns).

Files, processing side: `engine` (the joint), `dialect` with `leaves` and `bounded_cells` (what is DuckDB's own of
`engine.sql`), `apply` with `query` and `dealing` (the release as a view), `write` with one `write_…` for each kind of
sink.
"""
