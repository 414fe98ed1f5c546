"""Layers of analysers on the texts of a test, and proposals for its keys."""
