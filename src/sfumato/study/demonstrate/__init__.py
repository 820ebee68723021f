"""Attacks that anyone can watch, and the defence that stops each, where there is one.

Files: `differencing`, `averaging`, `reconstruction`, `linkage` (one attack each, as an experiment).
"""
