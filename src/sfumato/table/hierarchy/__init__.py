"""The generalization hierarchy of a column, and the ways to build one.

Files: `tree` (the hierarchy itself), `csv_file` (ARX's format), `intervals` (declared intervals and
fixed widths), `dates` (day to decade), `masking` (characters), `groups` (ordered groups and trees),
`balanced` (automatic, by frequency), `spec` (the declaration in a plan).
"""
