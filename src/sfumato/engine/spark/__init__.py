"""Spark: tables on a cluster, through PySpark 4 (classic or Connect).

Files: `session` (which cluster), `table` (what is held of a table), `quote` (names in SQL). Everything is said in
SQL over temporary views, because the functions of `pyspark.sql.functions` belong to either kind of session only.
"""
