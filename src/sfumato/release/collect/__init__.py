"""Collecting under local differential privacy, from the declared questions to the published shares.

Files: `base` (the joint of all collections, and their counts), `collection` (declared questions under an oracle or a
scheme), `rappor` (strings), `batch` (reports as they are sent and written), `server` (reports →
counts), `once` (each report once), `estimates` (counts → shares), `advice` (which protocol to choose), `noising` (a
whole table, person by person), `pram` (post-randomization of published columns).
"""
