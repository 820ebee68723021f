"""Questions to a table under central differential privacy, and their answers.

Files: `query` (what an aggregate declares, and a question as data), `counts`, `moments`, `ranks` (the declared ones, and
how Python asks for them), `questions` (all of them), `asking` (Python's words), `sql` and its parts (the same
in SQL), `checked` (what can be bounded), `price` (what is offered), `prepared` (mechanism and ask of a question),
`session` (charge, summarize, decide, record), `answer` (what comes back), `price_for_error` and `simulate` (before anything
is read), `document` (a session as TOML).
"""
