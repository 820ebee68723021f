"""Chance that protects people: the only room that asks the operating system for it.

Files: `bits` (secure random words), `permutation` (uniform orders).
"""
