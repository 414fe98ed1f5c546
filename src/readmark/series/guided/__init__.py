"""Rewriting a question of a series so that it stands alone, by the guidelines of the document."""
