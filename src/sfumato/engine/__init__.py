"""Where data live: the only room that touches rows.

Files: `base` (the joint), `duckdb/` (the embedded engine).
"""
