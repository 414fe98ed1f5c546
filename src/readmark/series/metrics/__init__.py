"""Metrics of rewritten questions: a file each, named like the metric."""
