"""Clozes: questions made of raw text, for a span reader to learn from before real ones."""
