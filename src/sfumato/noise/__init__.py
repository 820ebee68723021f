"""Chance that protects people: the only room that asks the operating system for it.

Files: `bits` (secure random words), `keyed` (words that a secret key repeats), `narrow` (words cut into
smaller integers), `bernoulli` (coins), `integers` (uniform integers), `permutation` (uniform orders),
`subsets` (uniform k-subsets), `check` (what may be asked for).
"""
