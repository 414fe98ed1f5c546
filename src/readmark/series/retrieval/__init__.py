"""Retrieval for questions of series: what a question finds, and what a reader answers from it."""
