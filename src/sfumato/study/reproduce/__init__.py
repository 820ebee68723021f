"""Published experiments, run again: what was measured, beside what others measured.

Files: `experiment` (what an experiment is and what it gives), `data` (finding and reading a public table), `reference`
(values measured elsewhere), and one file for each experiment: `mse`, `attack` and `profiles` (both on a collection of
`collected`), `diabetes`, `variance`, `quantiles`, `location`, `rappor`.

All by name: `study.catalog`.
"""
