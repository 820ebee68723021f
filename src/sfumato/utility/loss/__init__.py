"""Loss measures that a lattice search minimizes, each bound to a table by `prepare`.

Files: `arx_loss` (normalized domain shares), `precision`, `height`, `discernibility`, `class_size`,
`ambiguity`, `non_uniform_entropy` (also normalized), `entropy_information_loss`, `kl_divergence`,
`publisher_payout`, `classification`; `aggregate` (one number from one per attribute), `keys` (most classes
of a node), `factors` (how
generalization weighs against suppression), `marginals` (rows below each node of a tree), `registry`
(a measure by its name).
"""
