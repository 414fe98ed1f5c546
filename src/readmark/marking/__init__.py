"""Scoring a sitting against the key: one metric a file, over the measures."""
