"""From plan to release, and what is done with one: the only place where mechanism and engine meet.

Files of the way: `plan` and `plan_reader` (what was asked), `publish` (all of it), `pipeline` (the stages, whatever the
method), `stage` (where files lie until they are verified), `accounted` (who pays), `reread` (what was written),
`measure` (what it is worth and what breaks it), `record` (the result), `engines` and `tools` (what is handed in).

Files of what differs: `method/` (one declaration each), over `recoding/`, `anatomy/` and `insertion`; `perturbing` and
`pseudonyms` (single columns).

Files beside the way: `draft` (a first plan), `judge`, `attacking` with `trials/`, and `versions` (any table, judged),
`sweep/` (many plans), `answer/` (questions to a private table), `collect/` (randomized reports).
"""
