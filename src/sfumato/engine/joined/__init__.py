"""Releases of engines that hold frames: what a recipe says of values is joined to the rows as small tables."""
