"""What an intruder gains, by formula.

Files: `prosecutor`, `journalist`, `marketer` (re-identification by three intruders), `individual` (with
sampling weights), `profile` (all figures together), `subsets` (how strongly sets of columns identify),
`wp216` (the regulator's three questions). Estimators of population uniqueness are in
`summary.uniqueness`, shared with the criterion of that name.
"""
