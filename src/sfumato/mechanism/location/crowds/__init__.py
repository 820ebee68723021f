"""Crowds: a person is shown only together with others, in boxes of cells and slots that k of them share.

Files: `presence` (who was in which cell in which slot), `boxes` (what is published, and who shares it), `cloak` (each
position in a box of its crowd: quadtree, Hilbert curve, delay), `shared_paths` (whole traces of k persons become one),
`mix_zones` (names change where k persons meet), `near_paths` (persons who move together, never δ apart), `ways` (near ways).
"""
