"""Raters beside a panel of novices, from the vectors that a marksheet holds."""
