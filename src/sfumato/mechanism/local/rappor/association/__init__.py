"""Joint shares of two variables that the same persons report, by maximum likelihood.

Files: `likelihood` (how probable is each report under each string), `joint` (the joint shares and their errors),
`associate` (both, from reports of two collections).
"""
