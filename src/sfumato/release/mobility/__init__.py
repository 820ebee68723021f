"""Statistics of traces under differential privacy, whose unit is a person, or one week of a person.

Files: `unit` (whom an answer protects, and what is seen of each), `how` (how much of a person counts, at which price),
`places` and `movement` (what is counted: visits, stays, flows, lengths), `prepared` (how counts are made private),
`lengths` and `top` (the others), `answering` (all of a list: price, forecast, answers).
"""
