"""What an engine may be told to do, as plain data.

Files: `steps` (each thing that can be done to a column or to the classes), `recipe` (all of it).
"""
