"""Attacks that anyone can watch, and the defence that stops each: differencing, averaging, reconstruction.

Files: `differencing`, `averaging`, `reconstruction` (one attack each, as an experiment), `catalog` (all by name).
"""
