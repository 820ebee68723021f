"""What breaks a release, by doing. An attack sees what an intruder sees, never a mechanism.

Files: `audit` (a lower bound of epsilon from reports alone) and `view` (what it looks at), `likelihood` and
`averaging` (many reports of one person), `reidentification` (several collections and a table of known
persons), `sampled_attribute` and `sampled_boosting` (which attribute was asked about). On released tables: `rate` (how
an attack is scored), `cover` (who could be in which class), `singling_out`, `linkability`, `inference`,
`membership_release`, `downcoding`, `minimality`, and `assignment` (every original row known).
"""
