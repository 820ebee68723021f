"""Chance that protects people: the only room that asks the operating system for it.

Files: `bits` (secure random words, words that a key repeats, and their parts); uniform: `integers`, `grid`, `permutation`,
`subsets`; coins: `bernoulli`, `response` (two probabilities, by a bit), `packed` (eight to a byte), `portable` (the same
in every language); other laws: `categorical`, `discrete_laplace`, `discrete_gaussian`, `planar_laplace`; selection: `exponential_mechanism`;
what they rest on: inversion of any finite law (in `discrete_laplace`), and `sfumato.numbers`.
"""
