"""Metrics of rewritten questions."""
