"""The embedded engine: DuckDB, out of core, one private connection for each table.

Files, reading side: `table` (the handle), `scan` (from any source to a handle), `connect` (private
connections), `store` (where loaded cells lie), `quote` (names and texts in SQL), `names` (repeated
and empty column names), `survey` (encoding and line ends), `delimited` (CSV), `rewrite` (odd and
broken CSV), `columnar` (Parquet, Arrow files), `excel`, `frames` (tables in memory), `sql` (databases).

Files, processing side: `engine` (the joint), `leaves` (a row as whole numbers), `summarize` with
`tuples` and `persons` (counts), `apply` with `cells` (single columns), `classes` (several columns) and
`lookup` (small tables beside the rows), `write` with `rows` and one `write_…` for each kind of sink,
`faults` (what failures mean).
"""
