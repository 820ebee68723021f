"""Publication without a trusted publisher: holders of rows and an untrusted publisher make one table that nobody pools.

Files: `wire` (messages), `keys` (cards and secrets), `sealing` (boxes and pads), `merkle`, `terms` (what is agreed on),
`table` (the rows of a hospital), `construction` (classes from what the publisher may see), `slots` (rows without their
sender), `checks` (what a holder sees to), `publisher` and `hospital` (the two sides, without network or disk), `store`,
`app`, `client` and `command` (with them).
"""
