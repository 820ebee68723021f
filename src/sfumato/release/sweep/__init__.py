"""What is a release worth and what does it risk, for many values of a plan's parameters?"""
