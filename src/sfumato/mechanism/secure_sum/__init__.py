"""Secure sums: holders add their counts of declared cells, and nobody sees the counts of one of them.

Files: `terms` (what all agree on before), `shamir` (secrets in shares), `keys` (agreements, seals, signatures), `masks`
(what hides a vector), `noise` (the law of noise in shares), `wire` (messages), `holder` and `publisher` (who answers what:
pure transitions from state and message to state and messages).

Source: K. Bonawitz et al., "Practical secure aggregation for privacy-preserving machine learning", CCS 2017, figure 4, with
the consistency check against a publisher that lies.
"""
