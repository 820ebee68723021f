"""Spark: tables on a cluster, through PySpark 4 (classic or Connect).

Files: `session` (which cluster), `table` (what is held of a table), `quote` (names in SQL), `scan`, `marginal` and
`summarize` (what is read); `apply` (the release as a lazy frame: `draft` while it is put together, `row_steps` and
`work` for what rows do alone, `natives` and `lookup` for what is found once and joined, `recoding` and `classes` for
the joins, `store` for what was drawn), `write` (where it goes: `write_files`, `write_sql`).

Expressions are SQL texts or belong to a frame, because the functions of `pyspark.sql.functions` belong to either kind
of session only.
"""
