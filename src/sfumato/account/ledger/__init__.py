"""What was paid, and what was answered, kept durably for all processes that ask.

Files: `ledger` (charge, answer, verify, statement), `granting` (accounts and their budgets), `transactions` (one at a
time, with the state up to date; orders, and their receipts), `state`, `account` and
`checkpoint` (what the list adds up to, and a sealed copy of it),
`entry` (what is written), `chain` (how entries are sealed), `store` (the joint to a database), `sqlite` and `postgresql` (the
two databases), `statement` (what `sfumato budget` shows).
"""
