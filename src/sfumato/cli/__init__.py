"""Arguments → plan → run → print. No mathematics.

Files: `main` (the commands), `show` (how results are printed).
"""
