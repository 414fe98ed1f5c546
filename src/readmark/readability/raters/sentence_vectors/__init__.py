"""Passages as numbers: by the encoder that ships, or by all-MiniLM-L6-v2 if it is installed."""
