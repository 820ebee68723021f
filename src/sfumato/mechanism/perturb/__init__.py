"""Perturbation of published cells by chance.

Files: `column_method` (the joint of methods that perturb one column), `transition` (matrices of transition,
invariant ones too, and their epsilon), `pram` (cells changed by them, and shares estimated from what was
published), `pram_column`, `noise` and `noise_law`, `rank_swap`, `record_swap`, `individual_ranking` (columns of a
plan), `coding` (where top and bottom coding and rounding move numbers), `columns` (several columns of a table, by
labels).
"""
