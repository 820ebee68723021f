"""Two tables that share nothing but a bucket number: Anatomy and plain buckets, from plan to result."""
