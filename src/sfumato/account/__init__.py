"""What it costs: events, accountants, calibration, and the durable ledger.

Files: `event` (what happened, as data), `budget` (what may be spent, and how costs add up), `cost` (from an event to
numbers that add up, and the filter on them), `parallel` (disjoint parts), `accountant` (a fixed list, counted five
ways), `concentrated`, `renyi`, `pure`, `gaussian` and `loss_distribution` (the mathematics of each), `calibration` (noise
for a promise). The durable ledger is in `ledger/`.
"""
