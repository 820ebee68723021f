"""Chance that protects people: the only room that asks the operating system for it.

Files: `bits` (secure random words), `keyed` (words that a secret key repeats), `narrow` (words cut into
smaller integers); uniform: `integers`, `grid`, `permutation`, `subsets`; coins: `bernoulli`,
`packed` (eight to a byte), `bernoulli_exp`; other laws: `categorical`, `geometric`, `discrete_laplace`, `discrete_gaussian`;
selection: `exponential_mechanism`; what they rest on: `inversion` (any finite law), and `numbers/`.
"""
