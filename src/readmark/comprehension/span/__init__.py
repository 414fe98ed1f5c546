"""Span readers: an encoder with a start and an end, trained with torch, run without it."""
