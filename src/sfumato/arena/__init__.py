"""The server of a contest: teams hand in, a process of its own judges, what is published is attacked, and a board tells.

Files: `store` (what was handed in, in one SQLite file), `room` (the files beside it), `worker` (takes the oldest that
waits), `child` (judges one file within limits), `jail` (the limits), `board` (scores of teams), `app` (the routes).
"""
