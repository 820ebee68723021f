"""Location privacy: positions and traces of persons come in, positions that say less go out.

Files: `planar` (the planar Laplace law on real numbers: quantiles, and how far reports lie), `geo_indistinguishable` (the
same on the cells of a declared region, drawn exactly), `remembered` and `predictive` (budgets over many reports), `prior`
(what is public of where people are), `remap` and `optimal` (the nearest reports under it), `loss` (the epsilon, computed
from the law), `promesse` (traces at constant speed).
"""
