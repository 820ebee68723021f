"""What Mondrian and local recoding share: a partition of the finest tuples.

Files: `axes` (the order, groups and covers of one attribute), `covers` (covers of many classes at once and their loss),
`criteria` (asked about candidate classes), `scan` (running totals within segments), `nodes` (cells under way, sorted
along every axis), `cuts` (what each cut saves), `splits` (parting level by level), `pieces` (parts of tuples), `publish`
(from classes to labels), `settle` (from a partition to what keeps every promise).
"""
