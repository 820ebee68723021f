"""Exact numbers: read, checked, compared, enclosed and rounded against us.

Files: `exact` (the one parser), `check` (which numbers may be asked for), `enclosure` (fractions around an exponential or a
logarithm), `certified` (integers around an exponential), `logarithm` (exact signs, and logarithms rounded up), `compare`
(thresholds), `rounding` (costs up, limits down).
"""
