"""Publication without a trusted publisher that hides the tuples of each hospital too: everything is made from secure sums.

Files: `declared` (values and cells that are declared before), `session` (terms of the sums), `joint` (classes from summed
counts), `carrying` (messages of sums within others), `run` (one sum), `publisher` and `hospital` (the two sides, without
network or disk), `releasing` (rows from summed counts).

First the tuples of all are added, and classes are made of them; hospitals count the sizes of these classes themselves, and
then add how often each carried value occurs in each class that is large enough. No row leaves a hospital.
"""
