"""Marks as people read them: tables in a terminal."""
