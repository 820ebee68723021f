"""Perturbation of published cells by chance.

Files: `transition` (matrices of transition, invariant ones too, and their epsilon), `pram` (cells changed
by them, and shares estimated from what was published), `columns` (several columns of a table, by labels).
"""
