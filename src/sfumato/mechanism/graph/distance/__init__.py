"""How far a graph is from a property, told with noise on one whole number; neighbors differ in one edge.

Files: `connectivity` (edges to add), `minimum_cut` (edges to remove), `spanning_tree` (its weight),
`mechanism` (noise, price and promise).
"""
