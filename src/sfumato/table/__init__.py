"""What columns mean: role, kind, hierarchy, schema, privacy unit.

Files: `schema` (role, kind and hierarchy of each column, privacy unit), `hierarchy/` (the tree of a
column and the ways to build one), `attribute` (a column bound to its values), `source` (where a
table is), `dialect` (how a CSV file is written; `dialect_sniff` and `header_sniff` decide it), `label`
(how published values are spelled), `number` (texts as numbers), `guess` and `identifier` (what an undescribed column could be).
"""
