"""What breaks a release, by doing. An attack sees what an intruder sees, never a mechanism."""
