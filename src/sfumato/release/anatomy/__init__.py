"""How are two tables published that share nothing but a bucket number? Anatomy and plain buckets, from plan to result."""
