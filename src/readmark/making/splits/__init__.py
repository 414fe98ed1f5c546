"""Splits of a test by article, what passages share, and what leaks from one part to another."""
