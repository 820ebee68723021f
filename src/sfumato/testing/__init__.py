"""Contract suites, Hypothesis strategies, seeded bits."""
