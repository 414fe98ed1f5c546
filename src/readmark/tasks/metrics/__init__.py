"""Metrics of answers to queries: facts, inferences, all answers, provenance, what is not judged."""
