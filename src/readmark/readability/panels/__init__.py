"""Readability panels: passages rated by experts, novices and machines."""
