"""What Mondrian and local recoding share: a partition of the finest tuples.

Files: `axes` (the order, groups and covers of one attribute), `covers` (covers of many classes at
once and their loss), `judge` (the criteria asked about candidate classes), `scan` (running totals
within segments), `nodes` (the cells of a partition under way), `publish` (from classes to labels).
"""
