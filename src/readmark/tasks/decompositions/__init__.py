"""Totals taken apart: which counts of additive quantities explain a score, and how likely each is.

A domain declares its quantities in a file; nothing here knows any of them.
"""
