"""What columns mean: role, kind, hierarchy, schema, privacy unit.

Files: `schema` (role, kind and hierarchy of each column), `unit` (whom differential privacy protects), `domain` (declared
values), `hierarchy/` (the tree of a column and the ways to build one), `attribute` (a column bound to its values),
`source` (where a table is and how its file is written; `dialect_sniff` and `header_sniff` decide it), `contents` (files
that a plan names), `label` (how published values are spelled), `number`, `decimals` and `band` (texts as numbers),
`cells` (positions), `values` (what a document may hold), `guess`, `role`, `identifier` and `words` (what an undescribed
column could be).
"""
