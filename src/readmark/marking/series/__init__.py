"""Marking rewriters of question series: strategies, failures, weights."""
