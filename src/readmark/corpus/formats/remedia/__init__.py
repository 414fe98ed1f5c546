"""Remedia: stories with title, dateline, questions and keys."""
