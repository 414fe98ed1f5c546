"""Sections of the report that only comprehension tests have."""
