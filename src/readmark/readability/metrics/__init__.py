"""Metrics of ratings: distance from the experts' mean, hits of their range, and correlations."""
