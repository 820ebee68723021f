"""PWS Cup 2019: traces over numbered regions; cells may be merged or hidden; who is who, and where persons were.

Files: `regions` (the grid, and labels that stand for several regions), `worth`, `attacks`, `defences`, `game`.

Source: T. Murakami and others, "Designing a Location Trace Anonymization Contest", PoPETs 2023(1); scores are told from the
contest's published scripts.
"""
