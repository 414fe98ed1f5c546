"""Logs of lm-evaluation-harness and Inspect AI, read as sittings."""
