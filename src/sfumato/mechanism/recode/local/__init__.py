"""The parts of local recoding.

Files: `vectors` (level vectors by rising loss), `peel` (classes taken at the finest level vector that
allows them), `absorb` (what is left joins the nearest class), `moves` (tuples change their class).
"""
