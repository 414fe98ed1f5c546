"""Scoring a sitting against the key: tallies, marks, slices, people, significance."""
