"""Decoding: the strings that were reported, each share with a standard error and a p-value.

Files: `candidates` (the design: which bits each string sets), `corrected` (counts without the noise's mean), `fit`
(least squares on selected strings, and a score for every other), `select` (which strings are adjusted for), `tail`
(p-values beside unknown strings), `correction` (p-values of many tests), `decoded` (the result), `decode` (all of it).

Source: Erlingsson, Pihur and Korolova 2014, section 4. Theirs selects by LASSO and then tests as if nothing had been
selected; here every candidate is tested beside the strings that are surely there, so the tests and intervals hold.
"""
