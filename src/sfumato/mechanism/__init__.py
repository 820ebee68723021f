"""What is done: mechanisms read a summary, decide a recipe and state a guarantee.

Families: `recode/` (generalization and suppression), `local/` (perturbation on a person's device), `perturb/`
(perturbation of published cells), `pseudonym/` (names), `central/` (noisy answers),
`location/` (positions and traces). Families do not import each other.
"""
