"""Graphs of nobody, drawn from noisy numbers of a private one: degrees, joint degrees, edges between groups."""
