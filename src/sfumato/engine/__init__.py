"""Where data live: the only room that touches rows.

Files: `base` (the joint), `duckdb/` (the embedded engine), `spark/` (clusters), `sql/` (what engines that answer SQL say
alike), `joined/` (what engines that hold frames do alike); tables in memory in `frames`, `frame_classes`, `arrow_arrays`,
`arrow_cells` and `object_cells`; `folders` (files that are not finished).
"""
