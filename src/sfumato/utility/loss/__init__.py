"""Loss measures that a lattice search minimizes, each bound to a table by `prepare`.

Files: `arx_loss` (normalized domain shares), `precision`, `height`, `discernibility`, `class_size`,
`ambiguity`, `non_uniform_entropy` (also normalized), `entropy_information_loss`, `kl_divergence`,
`publisher_payout`, `classification`; `aggregate` (one number from one per attribute), `factors` (how
generalization weighs against suppression), `marginals` (rows below each node of a tree), `keys` (how
many classes a node can have, and which tuple goes to which).
"""
