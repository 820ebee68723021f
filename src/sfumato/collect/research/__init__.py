"""The page of whoever asks a survey: who has answered, estimates with intervals as they come, groups, pairs, regressions, files.

Readers sign in with the token of the collection, typed once. Files: `door` (who may come), `routes` (addresses), `shown`
(what the page shows of a result), `drawn` (pictures), `sheet` (the result as a table of its own).
"""
