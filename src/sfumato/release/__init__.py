"""Plan, run, release, judge: the only place where mechanism and engine meet.

Files: `document` (reading a table of a TOML document with errors that name the key), `plan` (the
user's document as frozen data), `plan_reader` (TOML → plan), `methods` (the recoding method of a
plan), `run` (scan → summarize → decide → apply → write → verify → measure), `record` (the result as
a documented dictionary), `judge` (risk and comparison of any table), `draft` (a first plan from a
table), `apply` (a fixed recipe on new rows).
"""
