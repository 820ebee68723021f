"""Numbers under local differential privacy: each device publishes a noised number or a bit of one.

Every mechanism rounds a value, at random and without bias, to a declared grid, then draws one of a
finite set of reports with probabilities that are exact integers or exact floats. Its epsilon is
computed from those probabilities, so no property of floating-point numbers can leak a value.

Files: `grid` (declared bounds and resolution), `base` (the joint of all numeric mechanisms, and
their wire form), `noise_table` (noise redrawn until it stays inside), `laplace`,
`staircase`, `window` (a window that slides over the reports), `piecewise`, `square_wave`, `duchi`,
`hybrid`, `decode` (unbiased tables), `estimate` (means, variances, histograms, intervals),
`distribution` (expectation-maximization).
"""
