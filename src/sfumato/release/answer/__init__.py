"""Questions to a table under central differential privacy, and their answers.

Files: `aggregate` (what an aggregate declares), `counts`, `moments`, `ranks` (the declared ones, and how Python asks for
them), `questions` (all of them), `query` (a question as data), `asking` (Python's words), `sql` and its parts (the same
in SQL), `checked` (what can be bounded), `price` (what is offered), `prepared` (mechanism and ask of a question),
`session` (charge, summarize, decide, record), `answer` (what comes back), `price_for_error` and `simulate` (before anything
is read), `document` (a session as TOML).
"""
