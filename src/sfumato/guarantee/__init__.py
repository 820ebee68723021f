"""What is promised: one file per privacy model.

Files: `base` (the joints: criterion and guarantee), `registry` (criteria from plans and back), then the models.
`local_dp` is the promise of a randomizer on a person's device, `central_dp` that of a curator who answers with noise,
`safepub` and `inserted_tuples` that of a whole release; `finite` measures laws that can be enumerated. What several
share: `diversity` (entropies). `shortfall` says why no release keeps some promises.
"""
