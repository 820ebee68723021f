"""Reports of one person again and again: randomized once and remembered, then randomized at each report.

Files: `chain` (what two rounds make together: epsilons, estimator, variance), `protocol` (the joint), then
one file per protocol: `l_grr`, `l_unary` (L-SUE, L-OSUE), `d_bit_flip`, `loloha`; `device` (one person, who
remembers by a secret key and stores nothing), `memory` (many persons, what they remember stored),
`history` (what a whole history of changing values gives away), `wire` (how reports travel). RAPPOR will have a
module of its own.
"""
