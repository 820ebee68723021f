"""A table published as averages of small groups: groups of k near rows, each row told as its group.

`points` places rows in space, `mdav` groups them (`compiled` does the same faster), `blocks` keeps large tables
affordable, `centers` says what is published of a group, `method` decides.
"""
