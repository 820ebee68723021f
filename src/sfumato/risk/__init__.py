"""What an intruder gains, by formula.

Files: `intruders` (re-identification by prosecutor, journalist and marketer), `individual` (with sampling weights),
`profile` (all figures together), `subsets` (how strongly sets of columns identify), `wp216` (the regulator's three
questions), `bucketization` (two tables with a bucket number), `perturbed` (columns whose cells were changed).

Estimators of population uniqueness are in `summary.uniqueness`, shared with the criterion of that name.
"""
