"""What published traces are worth: the same question of the original and of the release, and how far the answers differ.

Files: `apart` (how far a published fix is from the truth), `cover` (cells that are visited), `boxes` (counts of persons in
random boxes), `heat` (maps of where fixes are), `flows` (from where to where trips go), `trips` (their lengths, and how far
and how variedly a person moves), `visits` (of places: how often, how long), `measure` (all figures together).

Published traces have the persons of the original with the same codes: what is worth something is measured before names
become pseudonyms. Nothing is ever measured between two persons.
"""
