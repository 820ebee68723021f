"""Local differential privacy: each person's device perturbs, the server estimates.

Files: `oracle` (the joint of all frequency oracles: support, estimate, variance), then one file per
mechanism. One frozen object serves client and server. `numeric/` holds mechanisms of numbers,
`sanitize` noises whole tables person by person.
"""
