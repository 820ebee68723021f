"""The server of a contest: teams hand in, a process of its own judges, what is published is attacked, and a board tells.

Files: `store` (what was handed in) over `database` (SQLite or PostgreSQL), `room` (the files beside it), `worker` (takes
the oldest that waits), `child` (judges one file within limits), `jail` (the limits), `board` (scores of teams), `serving`
(what is served) and `desk` (what teams do), `app` (the routes) and `pages/`. Commands: `command` (the server), `organiser`,
`packing` and `exchange` of its organiser; `hand` of a team, over `seat` (its requests). `archive`: a contest as one file.
"""
