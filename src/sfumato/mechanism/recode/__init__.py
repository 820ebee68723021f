"""Generalization and suppression.

Files: `decision` (what every method here decides), then one file or folder per method.
"""
