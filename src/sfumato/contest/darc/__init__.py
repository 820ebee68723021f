"""DARC: purchases of customers, with one pseudonym for each customer and month.

Files: `baskets` (which items the same customers buy), `worth` (six measures), `attacks` (seven of them),
`table` (files of guesses, one column a month), `defences`, `game` (the rules, and all of it together).

Source: A. Laurent, S. Gambs, "Data Anonymization and Re-identification Competition" (DARC), PETS 2019, after the PWS Cup of
2016 and 2017; what it measures is told from its published scripts.
"""
