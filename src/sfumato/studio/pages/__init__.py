"""The pages of a project: one file a page; see `base`."""
