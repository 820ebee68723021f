"""The parts of local recoding.

Files: `peel` (classes taken at the finest level vector that allows them, by rising loss), `moves` (tuples change their
class), `regroup` (pairs of classes are joined and parted anew), `least` (a loss that no partition goes below).
"""
