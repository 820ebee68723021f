"""SafePub: levels chosen under differential privacy, rows sampled, small classes left out.

Files: `public` (is every hierarchy known without the table?), `scores` (how good is a node, and how much can one row
change that?), `search` (which node, by noisy selections), `method` (the mechanism).
"""
