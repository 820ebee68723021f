"""The generalization hierarchy of a column, and the ways to build one.

Files: `tree` (the hierarchy itself); `csv_file` (ARX's format), `intervals` (declared intervals), `widths` (fixed
widths), `dates` (day to decade), `masking` (characters), `groups` (ordered groups and trees), `balanced` (automatic, by
frequency); `match` (whether the table's values are in the tree), `propose` (a hierarchy for a column that nobody
described, and any hierarchy as a file).

The declaration in a plan is `document.hierarchy`.
"""
