"""What is done: rows are dealt into buckets, and two tables are published that only share the bucket number."""
