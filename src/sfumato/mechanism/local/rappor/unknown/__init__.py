"""Which strings are frequent, if nobody can list candidates? Two pieces of each string are reported beside the whole.

Files: `params` (what is agreed on, and its whole epsilon), `client` (what one person sends), `reports` (what arrives, and
many persons at once), `cliques` (whole strings of pieces that all go together),
`discover` (all of it, and the ordinary decoder at the end).

Source: G. Fanti, V. Pihur and Ú. Erlingsson, "Building a RAPPOR with the unknown", PoPETs 2016.
"""
