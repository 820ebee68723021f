"""Graphs as tables of edges: tidied, numbered, and worked on by group-bys over edges."""
