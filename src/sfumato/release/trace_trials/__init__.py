"""Attacks carried out on released traces and scored, by a judge who knows the original; one judge for each attack."""
