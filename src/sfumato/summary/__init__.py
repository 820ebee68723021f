"""The small arrays that mathematics reads instead of the table.

Files: `ask` (what an engine is asked to summarize), `classes` (distinct quasi-identifier tuples with
their counts), `roll_up` (coarser classes from finer ones), `tally` (rows by tuple), `histogram`
and `distribution` (sensitive values by class), `distance` (how far they are from the table's),
`uniqueness` (unique persons in a population, on `root` and `special`), `interval` (bounds of a
probability), `cover` (how much a published value leaves open), `span` (the leaves a label stands for), `label_reader` (a text read as leaves),
`published` (a released table, label by label), `figure` (one measured number), `loss` (the joint between
a search and a loss measure).
"""
