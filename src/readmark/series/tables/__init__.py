"""Strategies of rewriting by metrics and weights: the tables of the question series document."""
