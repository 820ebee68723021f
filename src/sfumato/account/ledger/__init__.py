"""What was paid, and what was answered, kept durably for all processes that ask.

Files: `ledger` (charge, answer, verify, statement), `granting` (accounts and their budgets), `order` (what is charged),
`charging` (new, known or refused), `receipt` (what a charge returns), `turn` (one transaction, with the books up to
date), `scope` (which rows an answer can concern), `books` and `account` (what the list adds up to), `entry`
(what is written), `chain` (how entries are sealed), `store` (the joint to a database), `sqlite` and `postgresql` (the two
databases), `statement` (what `sfumato budget` shows).
"""
