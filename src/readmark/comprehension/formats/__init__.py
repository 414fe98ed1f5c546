"""Formats that hold comprehension tests only."""
