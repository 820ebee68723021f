"""What the release is worth: information loss, query error, model error.

Files: `labels` (information loss of a released table), `query_error` (counts and averages asked of it), `model_error`
(models learned from it), `noisy_learning` (models learned from tables noised person by person), `randomized_regression`
(a logistic regression on randomized answers), `perturbed` (single columns), `sse` (groups of numbers), `inserted` (a set
of tuples), `bucket_errors`, `bucket_queries` and `bucket_sides` (two tables), `traces/` (where persons go), `measure`
(all figures together), `compare` (distributions before and after); `loss/` (the measures that a search minimizes).
"""
