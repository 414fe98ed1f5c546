"""Metrics of comprehension tests."""
