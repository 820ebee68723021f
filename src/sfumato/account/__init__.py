"""What it costs: events, accountants, calibration, and the durable ledger.

Files: `event` (what happened, as data), `budget` (what may be spent, and how costs add up).
"""
