"""Attacks carried out on a release and scored, by a judge who knows the original; one judge for each attack."""
