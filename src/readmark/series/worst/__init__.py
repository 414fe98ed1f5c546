"""Debugging a rewriter: each rewrite of a sitting next to its gold, and against an earlier sitting.

After "Our system against the Metric" in the question series document: the distribution, the
worst rewrites, and that no rewrite that was right before is lost.
"""
