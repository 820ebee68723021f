"""Groups of k rows that are near each other: what recoding of tables and crowds of traces have in common.

Files: `points` (rows in space), `mdav` and `compiled` (groups of k), `blocks` (groups where rows are very many).
"""
