"""Contests of anonymisation: what a submission may change, what it is worth, and what attacks on it find.

Files: `game` (what a kind of contest says), `registry` (which kinds there are), `key` (whose pseudonym is whose, and what
guesses of it are worth), `periods` (weeks and months), `judge` (checks, scores and attacks, the same everywhere), `renaming` and `shuffle` (submissions that hold pseudonyms),
`guesses` (attack files), `naming` (random names), `opening` (a judge from a document), `writing` (lines as files),
`unpack` (archives within limits), `telling` (faults in words), `bundle` (for Codabench), `codabench` (what comes back),
`example` (a contest to begin with). A kind of contest is a room: `insanonym`, `darc`, `pwscup`.
"""
