"""What is promised: one file per privacy model.

Files: `base` (the joints: criterion and guarantee), `registry` (criteria from plans and back), then the
models: `k_anonymity`, `k_map`, `personal_k`, `l_diversity`, `t_closeness`, `beta_likeness`,
`delta_disclosure`, `delta_presence`, `average_risk`, `highest_risk`, `records_at_risk`,
`sample_uniqueness`, `population_uniqueness`. `local_dp` is the promise of
a randomizer on a person's device, `central_dp` that of a curator who answers with noise; `finite` measures both on
laws that can be enumerated. What several share: `diversity` (entropies),
`sizes` (published classes).
"""
