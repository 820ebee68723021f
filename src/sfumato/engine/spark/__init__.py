"""Spark: tables on a cluster, through PySpark 4 (classic or Connect).

Files: `engine` (the joint), `session` (which cluster), `table` (what is held of a table), `types` and `scan` (what is
read), `quote` (names in SQL), `dialect` with `query` and `bounded_cells` (what is Spark's own of `engine.sql`), `rows`
with `lookup` and `store` (what is Spark's own of `engine.joined`), `write` (where a release
goes), `faults` (what failures mean).

Expressions are SQL texts or belong to a frame, because the functions of `pyspark.sql.functions` belong to either kind
of session only.
"""
