"""Publication without a trusted publisher: holders of rows and an untrusted publisher make one table that nobody pools.

Files: `wire` (messages), `keys` (cards and secrets), `sealing` (boxes and pads), `merkle`, `terms` (what is agreed on),
`table` (the rows of a hospital), `construction` (classes from what the publisher may see), `judging` (which of
them keep promises), `joining` (those that do not become one with others), `enrolment` (who may take part), `truth` (whether labels cover rows), `slots` (rows without their sender), `check`, `checks` and `caught`
(what a holder sees to, and how it says so), `phases` (who says what after what), `publisher`, `holder` and `hospital` (the sides, without network or disk), `ledger`, `tokens`, `carrier` and
`token_publisher` (the same for tokens), `sums/` (hospitals that hide their tuples), `telling` and `releasing` (result and
release), `store`, `app`, `client`, `command` and `demonstrating` (with network and disk).
"""
