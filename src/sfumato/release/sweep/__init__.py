"""What a release is worth and what it risks, for many values of a plan's parameters."""
