"""The small arrays that mathematics reads instead of the table.

Files: `ask` and `bounded` (what an engine is asked to summarize, and what comes back), `classes` (distinct
quasi-identifier tuples with their counts, and coarser ones from finer ones), `histogram` (sensitive values by class),
`distance` (how far they are from the table's), `uniqueness` (unique persons in a population, on `root` and `special`),
`distinct` (how many keys there are, about), `interval` (bounds of a probability), `simplex` (possible counts), `span` (the
leaves a label stands for), `label_reader` (a text read as leaves), `published` (a released table, label by label), `pair`
(two tables with a bucket number), `centers` and `blur` (columns that were changed), `figure` (one measured number),
`loss` (the joint between a search and a loss measure), `places` (rows of one matrix in another).
"""
