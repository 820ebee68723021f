"""INSAnonym: traces of persons, with one pseudonym for each person and ISO week.

Files: `squares` (cells of hundredths of a degree), `lines` (worth line by line), `places` (worth of where persons stay),
`attacks`, `defences`, `game` (the rules, and all of it together).

Source: INSAnonym, INSA Centre Val de Loire, from the contest of B. Nguyen and others at PETS 2019 (DARC). What it measures
is told from its published scripts; faults of theirs stay in the version `compat` and are mended in `fixed`.
"""
