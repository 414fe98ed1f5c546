"""Raters: formulas and trained features that rate a passage from 1 to 5."""
