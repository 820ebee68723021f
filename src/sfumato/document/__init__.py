"""The documents that people write, as frozen classes: what their keys are, and what each key may hold.

One codec reads and writes them (`codec`), one scan knows the lines of their keys (`lines`), one walk over the classes
makes their JSON Schemas (`schema`) and the tables of the reference. What a document means is said where it is used.
"""
