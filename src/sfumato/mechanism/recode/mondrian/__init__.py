"""Mondrian: multidimensional recoding by halving.

Files: `mondrian` (the method), `strict` (equal values stay together), `relaxed` (they may be parted),
`compiled` (the strict form for millions of tuples).
"""
