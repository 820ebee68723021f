"""A release as text, HTML, JSON and pictures; no mathematics."""
