"""Questions to a table under central differential privacy, and their answers.

Files: `query` (a question as data), `checked` (which questions can be bounded), `sql` (the same questions in
SQL), `mechanisms` (the mechanism that answers each), `answer` (what comes back), `session` (charge, summarize,
decide, record), `simulate` (errors on synthetic data, before anything is read), `document` (a session as TOML).
"""
