"""Graphs of persons: what is done so that nobody learns who knows whom.

Rooms: `distance` (how far a graph is from a property), `syntactic` (graphs changed until vertices look alike). `projection` bounds degrees, for node
privacy; `statistics` (degrees, triangles, groups); `synthetic` (graphs drawn from noisy numbers).
"""
