"""Private quantiles of a column, by several methods.

Files: `method` (what all methods share; what a quantile is; what a row costs), `choose` (the default), `dither` (equal values made
distinct); one file for each method. The joint exponential mechanism has four: `joint_exponential` (parameters and
promise), `joint_exponential_chain` (weights), `joint_exponential_sums` (sums of logarithms), `joint_exponential_draw`.
What other methods share: `cells` (equal cells of the grid), `choice` (an interval drawn exactly).
`bounds` holds theorems on accuracy.
"""
