"""RAPPOR: strings from a million clients, each protected for a lifetime and once more in each report.

Files: `params` (what client, server and decoder agree on), `bloom` (which bits a string sets), `client` (what
one client sends), `fleet` (what many send), `batch` (how reports travel), `counts` (what a server keeps), `simulate`
(the counts of many clients, drawn at once).

Source: Ú. Erlingsson, V. Pihur and A. Korolova, "RAPPOR: Randomized Aggregatable Privacy-Preserving Ordinal
Response", CCS 2014.
"""
