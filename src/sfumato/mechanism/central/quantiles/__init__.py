"""Where do a column's quantiles lie, told without telling of anyone?

Files: `method` (what all methods share; what a quantile is).
"""
