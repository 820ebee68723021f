"""The front door: what applications call. It chooses the engine, the secure chance and the clock; below they are handed in.

Files: `run` carries out a plan with its documents, `tables` measures, compares, attacks and drafts, `session` opens a data
document, `pair` reads two published tables.
"""
