"""Loss measures that a lattice search minimizes, each bound to a table when it is prepared.

Files: `arx` (normalized domain shares, and ARX's output statistics), `precision`, `height`, `sizes` (discernibility,
average class size, ambiguity), `non_uniform_entropy` (also normalized), `entropy_information_loss`, `kl_divergence`,
`publisher_payout`, `classification`; `parts` (what several are made of: weights, rows below each node of a tree,
classes of a node, one number from one per attribute).
"""
