"""Exact numbers: read, checked, compared, enclosed and rounded against us.

Files: `exact` (the one parser), `check` (which numbers may be asked for), `enclosure` (fractions and integers around
exponentials and logarithms; costs up, limits down), `logarithm` (exact signs, and logarithms rounded up), `compare`
(thresholds), `distinct` (of many numbers).
"""
