"""Arguments → plan → run → print."""
