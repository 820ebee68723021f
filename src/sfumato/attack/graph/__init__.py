"""What breaks published graphs, by doing.

Files: `look` (a person found by the degree, by the degrees of the neighbors, by the neighborhood), `seeds` (persons of a
second graph found one after another from a few known ones), `overlap` (two graphs drawn from one, for the judge), `rounds`
(whether there is an edge, from published rounds or core numbers).
"""
