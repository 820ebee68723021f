"""Local differential privacy: each person's device perturbs, the server estimates.

Files: `oracle` (the joint of all frequency oracles: support, estimate, variance), then one file per
oracle: `grr`, `sue`, `oue`, `blh`, `olh`, `subset_selection`, `hadamard`, `projective_geometry`; one frozen object
serves device and server. `randomized_response` holds the designs for one yes-no question. What oracles
share: `coin` (noise for an exact epsilon), `unary`, `hashing`, `plane`, `wire` (bytes), `check`. What follows
estimation: `intervals`, `projections`. Which to choose: `registry`, `recommend`. `several/` holds schemes for several attributes,
`numeric/` mechanisms of numbers,
`sanitize` noises whole tables person by person.
"""
