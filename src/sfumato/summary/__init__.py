"""The small arrays that mathematics reads instead of the table.

Files: `ask` (what an engine is asked to summarize), `classes` (distinct quasi-identifier tuples with
their counts), `roll_up` (coarser classes from finer ones), `histogram` (sensitive values by class),
`cover` (what a published value stands for, and how much was lost), `published` (a released table,
label by label), `loss` (the joint between a search and a loss measure).
"""
