"""Where totals and batch ids are kept: one transaction for many batches, durable before anybody is answered.

Files: `base` (the joint), `sqlite` (embedded), `postgresql`.
"""
