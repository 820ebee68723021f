"""What is promised: one file per privacy model.

Files: `base` (the joints: criterion and guarantee), then one per model.
"""
