"""Readability formulas for English and an index for Chinese."""
