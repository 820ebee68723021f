"""Graphs changed until many vertices look alike, and published: promises of form, not of chance.

Files: `sequence` (the cheapest degrees of which each stands k times), `changing` (edges added, removed and moved until a
graph has given degrees), `k_degree`, `k_neighborhood` (who is around a vertex looks like what is around k - 1 others).
"""
