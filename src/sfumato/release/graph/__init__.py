"""Releases about graphs: a table of edges is read, statistics of it are answered with noise and written."""
