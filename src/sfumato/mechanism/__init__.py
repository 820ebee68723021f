"""What is done: mechanisms read a summary, decide a recipe and state a guarantee.

Families: `recode/` (generalization and suppression). Families do not import each other.
"""
