"""Tests as tasks of the evaluation harnesses: lm-evaluation-harness and Inspect AI."""
