"""Central differential privacy: exact totals come in, noisy answers go out.

Every mechanism is a frozen dataclass: its `event` (the price) is fixed before any data are seen, `decide` reads
whole numbers only and draws its chance from `bits`.
"""
