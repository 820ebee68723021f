"""The parts of local recoding.

Files: `peel` (classes taken at the finest level vector that allows them, by rising loss), `moves` (tuples change their
class).
"""
