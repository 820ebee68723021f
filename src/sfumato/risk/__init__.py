"""What an intruder gains, by formula: prosecutor, journalist, marketer, uniqueness."""
