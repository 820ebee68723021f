"""Local differential privacy: each person's device perturbs, the server estimates.

Files: `oracle` (what all frequency oracles are: an encoding and a coin; support, estimate, variance), then one file
per oracle, which `registry` finds: `grr`, `sue`, `oue`, `blh`, `olh`, `subset_selection`, `hadamard`,
`projective_geometry`; one frozen object serves device and server. `randomized_response` holds the designs for one
yes-no question. What oracles share: `coin` (noise for an exact epsilon, and its laws), `encoding`, `unary`,
`hashing`, `wire` (bytes), `check`. What follows estimation: `intervals`, `projections`. Which to choose:
`recommend`. `several/` holds schemes for several attributes, `numeric/` mechanisms of numbers, `sanitize` noises
whole tables person by person.
"""
