"""Marksheets as one self-contained HTML page."""
