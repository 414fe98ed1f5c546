"""Marks as people read them: tables in a terminal, and one self-contained HTML page."""
