"""Frequent strings that nobody can list: two pieces of each string are reported beside the whole.

Files: `params` (what is agreed on, and its whole epsilon), `client` (what one person sends, and many at once),
`discover` (pieces, whole strings of pieces that all go together, and the ordinary decoder at the end).

Source: G. Fanti, V. Pihur and Ú. Erlingsson, "Building a RAPPOR with the unknown", PoPETs 2016.
"""
