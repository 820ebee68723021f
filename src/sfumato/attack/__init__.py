"""What breaks a release, by doing. An attack sees what an intruder sees, never a mechanism and never the truth.

`base` is the protocol and `registry` finds every attack. Of one released table: `singling_out`, `linkability`,
`inference`, `membership`, `downcoding`, `minimality`, `assignment` (every original row known) and `register` (a list with
names); of several `intersection`; of two that share a bucket number `definetti`. Of answers: `differencing`, `averaging`,
`reconstruction`. Of reports: `averaging`, `reidentification`, `sampled_attribute`, `sampled_boosting`. Of traces and of
graphs: the rooms `traces` and `graph`. What they share: `cover` and `pairs` (who could be in which class), `possible` (which values are left of whom), `likelihood`, and `scoring`
(how a judge scores). `audit` is no attack on a released thing: it calls a randomizer and bounds its epsilon.
"""
