"""Collecting under local differential privacy, from the declared questions to the published shares.

Files: `collection` (the document that devices and server share), `device` (answers → reports),
`server` (reports → counts → estimates), `advice` (which protocol to choose), `noising` (a whole table,
person by person), `pram` (post-randomization of published columns).
"""
