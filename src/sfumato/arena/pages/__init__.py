"""The pages of a contest, in the browser: rules, phases, handing in, one's own history, submissions, the board, organising.

Files: `site` (what pages need, how they are answered), `visitor` (who comes), `gate`, `rules`, `files` (one file, seen by
whoever may), `handing` (what teams do), `board`, `organise`, `clock`, `app` (every address with who may come there).
"""
